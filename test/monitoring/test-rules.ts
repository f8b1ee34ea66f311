import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ALERT_CASES, CALM, EVALUATED_AT, type Samples } from './alert-cases.ts';

/** Ten minutes apart, because promtool evaluates all rules at each of them. */
const WEEK_SAMPLES = (7 * 24 * 60) / 10;

/** Evaluates the rules for each case with promtool. @throws if an alert fires that shouldn't, or the other way round */
export async function testRules(rules: string, folder: string): Promise<void> {
  const files = [
    { name: 'minutes.yml', evaluation_interval: '1m', tests: ALERT_CASES.flatMap(testOfMinutes) },
    { name: 'weeks.yml', evaluation_interval: '10m', tests: ALERT_CASES.flatMap(testOfWeek) },
  ].map(({ name, ...content }) => {
    const file = join(folder, name);
    writeFileSync(file, stringify({ rule_files: [rules], ...content }));
    return file;
  });
  const promtool = spawn('promtool', ['test', 'rules', ...files], { stdio: 'inherit' });
  const [status] = await once(promtool, 'exit');
  if (status !== 0) throw new Error('The rules don’t fire as they should.');
}

type Case = (typeof ALERT_CASES)[number];

const testOfMinutes = ([what, fires, samples, weekBefore]: Case) =>
  weekBefore
    ? []
    : {
        name: what,
        interval: '1m',
        input_series: seriesOf({ ...CALM, ...samples }),
        promql_expr_test: [firing(fires, EVALUATED_AT)],
      };

const testOfWeek = ([what, fires, samples, weekBefore]: Case) =>
  weekBefore
    ? {
        name: what,
        interval: '10m',
        input_series: seriesOf(aWeekLater({ ...CALM, ...samples }, weekBefore)),
        promql_expr_test: [firing(fires, 10 * (WEEK_SAMPLES + EVALUATED_AT))],
      }
    : [];

const firing = (alert: string | undefined, minute: number) => ({
  expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
  eval_time: `${minute}m`,
  exp_samples: alert ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
});

const seriesOf = (samples: Samples) =>
  Object.entries(samples).map(([series, values]) => ({ series, values }));

/** The samples of a week before, then none, then those of now. */
function aWeekLater(now: Samples, weekBefore: Samples): Samples {
  const later = Object.entries(now).map(([series, values]) => {
    const before = weekBefore[series];
    const length = before === undefined ? 0 : Number(/x(\d+)$/.exec(before)?.[1]) + 1;
    const parts = [before, `_x${WEEK_SAMPLES - length}`, values];
    return [series, parts.filter((part) => part !== undefined).join(' ')];
  });
  return Object.fromEntries(later);
}
