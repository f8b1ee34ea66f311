import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { sendRequest } from '../journeys/form.ts';
import type { Stage } from '../sandbox/stage.ts';
import { type MonitoredApp, startMonitoredApp } from './monitored-app.ts';
import {
  CONFIG_FILE,
  DASHBOARD_FILE,
  type Prometheus,
  RULES_FILE,
  withInterval,
} from './prometheus.ts';
import { testRules } from './test-rules.ts';

const SCRAPE_SECONDS = 1;
/** What a chart shows: a rate needs two scrapes after something has happened. */
const RANGE_SECONDS = 6;
/** Prometheus takes about five until it scrapes for the first time; in a minute, the budget of the key would be used up. */
const DATA_WITHIN_SECONDS = 30;

/** Checks the alerts and the dashboard with promtool and a real Prometheus. @throws what is wrong */
export async function checkAll(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'design-request-alerts-'));
  try {
    execFileSync('promtool', ['check', 'config', CONFIG_FILE], { stdio: 'inherit' });
    await Promise.all([testRules(RULES_FILE, folder), checkRunningApp()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkRunningApp(): Promise<void> {
  const app = await startMonitoredApp({ scrapeSeconds: SCRAPE_SECONDS });
  try {
    await checkDashboard(app);
    await checkAlerts(app);
  } finally {
    await app.close();
  }
}

async function checkAlerts({ prometheus }: MonitoredApp): Promise<void> {
  const alerts = await prometheus.alerts();
  const failed = alerts.filter(({ health }) => health !== 'ok').map(({ name }) => name);
  if (alerts.length === 0 || failed.length > 0)
    throw new Error(`Prometheus could not evaluate the alerts: ${failed.join(', ') || 'none'}`);
  process.stdout.write(`Prometheus evaluates ${alerts.length} alerts.\n`);
}

/** What has no data as long as nothing goes wrong. */
const EMPTY_IF_WELL = [
  'Errors of Slack',
  'Answers',
  'Jobs that should run',
  'Oldest job that should run',
];

/** Keeps the app busy until every chart has data. */
async function checkDashboard({ stage, prometheus }: MonitoredApp): Promise<void> {
  const until = performance.now() + DATA_WITHIN_SECONDS * 1_000;
  let empty: string[];
  do {
    await act(stage);
    await setTimeout(SCRAPE_SECONDS * 1_000);
    empty = await emptyCharts(prometheus);
  } while (empty.length > 0 && performance.now() < until);
  if (empty.length > 0) throw new Error(`These charts show nothing: ${empty.join(', ')}`);
  process.stdout.write('All charts of the dashboard have data.\n');
}

/** Everything that a chart can show when nothing goes wrong. */
async function act({ slack, acme, ann, general, service, cardUrl }: Stage): Promise<void> {
  const me = acme.as(ann);
  const [card] = service.cards.all();
  await sendRequest({ slack, general }, me);
  await me.close({ all: true });
  await me.post(general, cardUrl(card?.id ?? ''));
}

/** The rows between the panels have no queries. */
const dashboard = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      targets: z.array(z.object({ expr: z.string() })).default([]),
    }),
  ),
});

async function emptyCharts(prometheus: Prometheus): Promise<string[]> {
  const to = Date.now() / 1_000;
  const range = { from: to - RANGE_SECONDS, to, stepSeconds: SCRAPE_SECONDS };
  const empty: string[] = [];
  const { panels } = dashboard.parse(JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8')));
  for (const { title, targets } of panels) {
    for (const { expr } of targets) {
      const series = await prometheus.queryRange(withInterval(expr, 4 * SCRAPE_SECONDS), range);
      const values = series.flatMap((one) => one.values).filter(([, value]) => value !== 'NaN');
      if (values.length === 0 && !EMPTY_IF_WELL.includes(title)) empty.push(title);
    }
  }
  return empty;
}
