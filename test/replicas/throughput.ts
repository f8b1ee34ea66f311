import type { Figures, Row, RowOptions } from '../faults/figures.ts';
import { eventually } from '../faults/outcomes.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { withDatabase } from '../faults/with-database.ts';

const TITLE =
  'throughput: signed events, each stored on disk before it is acknowledged, and then handled';
/** Concurrent deliveries: more than all replicas together need to be busy. */
const AT_ONCE = 64;
const DONE_WITHIN_MS = 120_000;

/** Each run is one event. Load, stand-ins, load balancer, and Postgres share the machine with the replicas. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    await setting.start();
    const began = performance.now();
    const refused = await sendAll(setting, runs);
    const acknowledgedMs = performance.now() - began;
    say(`${runs} sent`);
    const done = await eventually(() => areDone(setting, runs - refused), DONE_WITHIN_MS);
    const doneMs = performance.now() - began;
    const perSecond = (ms: number) => Math.round((runs * 1_000) / ms);
    return {
      row: 0,
      title: TITLE,
      counts: { events: runs, refused },
      measured: {
        'acknowledged per second': String(perSecond(acknowledgedMs)),
        'done per second': done ? String(perSecond(doneMs)) : '–',
      },
      holds: refused === 0 && done === true,
      mutation: '',
    };
  });
}

/** @returns how many were not acknowledged */
async function sendAll({ slack, acme, people }: Setting, events: number): Promise<number> {
  let next = 0;
  let refused = 0;
  const send = async () => {
    while (next < events) {
      next += 1;
      const body = JSON.stringify({
        type: 'event_callback',
        event_id: `Ev${next}`,
        team_id: acme.id,
        authorizations: [{ team_id: acme.id }],
        // No handler exists for it, so only the intake and the table are measured.
        event: { type: 'app_home_opened', user: people[0]?.id, tab: 'home' },
      });
      const { status } = await slack.sendSigned(body, 'application/json');
      if (status !== 200) refused += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return refused;
}

const areDone = ({ database }: Setting, events: number): Promise<boolean> =>
  withDatabase(database, async (db) => {
    const { done } = await db
      .selectFrom('jobs')
      .select(({ fn }) => fn.countAll<number>().as('done'))
      .where('state', '=', 'done')
      .executeTakeFirstOrThrow();
    return done >= events;
  });

export const throughputRow: Row = { row: 0, title: TITLE, runs: { full: 3_000, quick: 100 }, run };
