import { hasField } from '../sandbox/complete-form.ts';
import { type Figures, inMs, quantile, type Row, type RowOptions } from './figures.ts';
import { closeForms, prepareForm } from './forms.ts';
import { type Setting, withSetting } from './setting.ts';
import { withDatabase } from './with-database.ts';

const TITLE = 'the service stalls for 10 s while a form is opened';
const MUTATION = 'the lists are read before views.open (open.ts): 12 of 12 triggers expired';
const PEOPLE = 12;
const STALL_MS = 10_000;
/** Source: Slack's documentation of trigger_id, which the stand-in enforces. */
const TRIGGER_LIFE_MS = 3_000;
/** Longer than the app waits for an answer. */
const LONG_STALL_MS = 30_000;
/** After this many opens, everyone waits for a form through a long stall once. */
const OPENS_A_LONG_STALL = 500;
const COMPLETE_WITHIN_MS = 60_000;
/** Opens after one cold start; each start knows nothing about the service. */
const OPENS_A_START = 60;
const P99 = 0.99;

type Opens = { opened: number[]; failed: number };

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const { service, slack } = setting;
    const warm = await openWarm(setting, runs);
    say(`${runs} forms opened warm`);
    service.faults.clear();
    service.faults.add({ method: 'GET', kind: 'stall', ms: STALL_MS });
    const cold: Opens = { opened: [], failed: 0 };
    while (cold.opened.length + cold.failed < runs) {
      const app = await startCold(setting);
      const left = runs - cold.opened.length - cold.failed;
      add(cold, await openMany(setting, Math.min(OPENS_A_START, left)));
      await app.kill();
      say(`${cold.opened.length + cold.failed} of ${runs} forms opened cold`);
    }
    const waits: Waits = { completed: [], incomplete: 0 };
    for (let stall = 0; stall < Math.floor(runs / OPENS_A_LONG_STALL); stall += 1) {
      const app = await startCold(setting);
      const more = await waitThroughStall(setting);
      waits.completed.push(...more.completed);
      waits.incomplete += more.incomplete;
      await app.kill();
      say('everyone waited through a long stall');
    }
    const expired = slack.apiCalls.filter(
      ({ response }) => response?.error === 'expired_trigger_id',
    ).length;
    const all = [...warm.opened, ...cold.opened];
    const failed = warm.failed + cold.failed;
    const late = all.filter((ms) => ms > TRIGGER_LIFE_MS).length;
    return {
      row: 5,
      title: TITLE,
      counts: {
        'opened warm': warm.opened.length,
        'opened cold': cold.opened.length,
        failed,
        'completed after a long stall': waits.completed.length,
        'left incomplete': waits.incomplete,
      },
      measured: {
        'p99 warm': inMs(quantile(warm.opened, P99)),
        'p99 cold': inMs(quantile(cold.opened, P99)),
        slowest: inMs(Math.max(...all)),
        'expired triggers': String(expired),
        ...(waits.completed.length > 0
          ? { 'slowest form after a stall': inMs(Math.max(...waits.completed)) }
          : {}),
      },
      holds: all.length === 2 * runs && failed + late + expired + waits.incomplete === 0,
      mutation: MUTATION,
    };
  });
}

type Waits = { completed: number[]; incomplete: number };

/**
 * Everyone opens the form while the service stalls for longer than the app waits. @returns ms until complete
 */
async function waitThroughStall({
  acme,
  people,
  general,
  service,
  slack,
}: Setting): Promise<Waits> {
  service.faults.clear();
  service.faults.add({ method: 'GET', kind: 'stall', ms: LONG_STALL_MS });
  const everyone = people.map((user) => acme.as(user));
  for (const one of everyone) {
    await closeForms(one);
    await one.command(general);
  }
  const allWait = () => everyone.every((one) => one.sees().includes('Keep this open'));
  await slack.until(allWait, 'everyone to wait', LONG_STALL_MS);
  service.faults.clear();
  const clearedAt = performance.now();
  const completed = await Promise.all(
    everyone.map((one) =>
      slack
        .until(() => hasField(one, 'Request type'), 'the complete form', COMPLETE_WITHIN_MS)
        .then(() => performance.now() - clearedAt)
        .catch(() => undefined),
    ),
  );
  const ms = completed.filter((one) => one !== undefined);
  return { completed: ms, incomplete: everyone.length - ms.length };
}

/** Starts the app without the lists that it has stored. */
async function startCold({ database, start }: Setting) {
  const lists = ['request_types', 'brands', 'tags'];
  await withDatabase(database, (db) =>
    db.deleteFrom('entries').where('kind', 'in', lists).execute(),
  );
  return start();
}

/** What the form needs is in memory when the stall begins. */
async function openWarm(setting: Setting, count: number): Promise<Opens> {
  const { acme, people, service } = setting;
  const app = await setting.start();
  const [first] = people;
  if (first) await prepareForm(setting, acme.as(first), 'Warming up');
  service.faults.add({ method: 'GET', kind: 'stall', ms: STALL_MS });
  const opens = await openMany(setting, count, { complete: true });
  await app.kill();
  return opens;
}

/** Everyone opens the form repeatedly; in ms from the command to `views.open`. */
async function openMany(
  setting: Setting,
  count: number,
  { complete = false } = {},
): Promise<Opens> {
  const opens: Opens = { opened: [], failed: 0 };
  let left = count;
  await Promise.all(
    setting.people.map(async (user) => {
      const by = setting.acme.as(user);
      while (left > 0) {
        left -= 1;
        await closeForms(by);
        const ms = await openOnce(
          setting,
          () => by.command(setting.general),
          complete ? by : undefined,
        );
        if (ms === undefined) opens.failed += 1;
        else opens.opened.push(ms);
      }
    }),
  );
  return opens;
}

/** @param complete whether the form must also become complete, without any call to the service */
async function openOnce(
  { slack }: Setting,
  command: () => Promise<{ triggerId: string }>,
  complete: Parameters<typeof hasField>[0] | undefined,
): Promise<number | undefined> {
  const { triggerId } = await command();
  const find = () =>
    slack.apiCalls.findLast(
      ({ method, args, response }) =>
        method === 'views.open' && args.trigger_id === triggerId && response !== undefined,
    );
  const call = await slack.until(find, 'views.open', GIVE_UP_MS).catch(() => undefined);
  if (call?.response?.ok !== true) return undefined;
  if (complete) {
    // Slack may have to say first who is asking, so the form opens loading.
    const isComplete = () => hasField(complete, 'Request type');
    const isOpen = await slack.until(isComplete, 'the form', TRIGGER_LIFE_MS).catch(() => false);
    if (!isOpen) return undefined;
  }
  // A trigger ID starts with the time at which the stand-in issued it, in ms.
  return call.at.getTime() - Number.parseInt(triggerId, 10);
}
const GIVE_UP_MS = 15_000;

function add(sum: Opens, more: Opens): void {
  sum.opened.push(...more.opened);
  sum.failed += more.failed;
}

export const stalledFormRow: Row = { row: 5, title: TITLE, runs: { full: 1_000, quick: 24 }, run };
