import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { confirmFound, decideInDoubt } from '../../src/requests/decide.ts';
import type { Database } from '../../src/store/database.ts';
import { T1 } from '../installations/ids.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

const NO_ROOM = 'no room';
const FAILS_FOR_MS = 200;

/** Makes the database refuse one kind of write, as a full disk does. @returns what repairs it */
async function refuse(db: Database, write: string, when = 'true'): Promise<() => Promise<unknown>> {
  const refusing = `CREATE TRIGGER fault BEFORE ${write} WHEN ${when}
    BEGIN SELECT RAISE(ABORT, '${NO_ROOM}'); END`;
  await sql.raw(refusing).execute(db);
  return () => sql`DROP TRIGGER fault`.execute(db);
}

const refuseJobs = (db: Database, kind: string) =>
  refuse(db, 'INSERT ON jobs', `NEW.kind = '${kind}'`);

it('an author is told about the card in the thread of the confirmation, even if that can’t be stored at first', async () => {
  const { db, submit, announced, clock, runner, stores } = await requestsUnderTest();
  const repair = await refuse(db, 'UPDATE ON card_watchers');
  await submit('r1');
  await expect.poll(() => announced).toHaveLength(1);
  await repair();
  clock.now = at(600);
  await runner.add({ kind: 'wakes the runner', workspaceId: T1, payload: {} });
  const { cardId = '' } = (await stores.requests.get(T1, 'r1')) ?? {};
  await expect
    .poll(() => stores.watches.watchersOf({ workspaceId: T1, cardId }))
    .toEqual([{ userId: 'U1', thread: { channel: 'C1', ts: '1.1' } }]);
});

it('requests waiting for a key are resumed by a later attempt', async () => {
  const { db, submit, design, announced, clock, connect, runner, stateOf, jobsOfKind } =
    await requestsUnderTest();
  design.faults.add({ kind: 'stall', ms: 500, operation: 'createCard' });
  design.revokeKey(design.apiKey);
  await submit('r1');
  await expect.poll(() => design.calls().length).toBe(1);
  // Another key is connected before the first one is rejected, and nothing can be queued meanwhile.
  await connect(T1);
  const repair = await refuseJobs(db, 'deliver-request');
  await expect.poll(() => stateOf('r1')).toBe('waiting_for_key');
  // Its job is due again by the current clock.
  await expect.poll(async () => (await jobsOfKind('deliver-request'))[0]?.state).toBe('ready');
  await repair();
  clock.now = at(600);
  await runner.add({ kind: 'wakes the runner', workspaceId: T1, payload: {} });
  await expect.poll(() => announced.at(-1)?.state).toBe('created');
});

const becomes = (state: string) => `NEW.state = '${state}' AND OLD.state <> NEW.state`;

it.each([
  ...['deliver-request', 'reconcile-request', 'announce-request'].map((kind) => [
    'INSERT ON jobs',
    `NEW.kind = '${kind}'`,
  ]),
  ...['running', 'done'].map((state) => ['UPDATE ON jobs', becomes(state)]),
  ['INSERT ON requests', 'true'],
  ...['queued', 'sending', 'created', 'in_doubt'].map((state) => [
    'UPDATE ON requests',
    becomes(state),
  ]),
  ['UPDATE ON requests', 'NEW.announced_revision > OLD.announced_revision'],
])('nothing is lost or doubled while one kind of write fails: %s, %s', async (write = '', when) => {
  const { db, submit, design, announced, ctx, cards, clock, runner, stores } =
    await requestsUnderTest();
  const loseAnswer = () =>
    design.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
  const about = (requestId: string) => ({ workspaceId: T1, userId: 'U1', requestId });
  for (const id of ['found', 'again']) {
    loseAnswer();
    await submit(id);
    await expect.poll(() => announced).toHaveLength(id === 'found' ? 1 : 2);
  }
  const cardId = design.cards.all().at(-2)?.id ?? '';
  loseAnswer();
  const acts = [
    () => submit('r1'),
    () => submit('r2'),
    () => decideInDoubt(ctx, { ...about('again'), decision: 'send_again' }),
    () => confirmFound({ ...ctx, cards }, { ...about('found'), cardId, isSure: false }),
  ];
  const repair = await refuse(db, write, when);
  const results = await Promise.allSettled(acts.map((act) => act()));
  await sleep(FAILS_FOR_MS);
  await repair();
  // Whoever was told that it failed repeats it.
  await Promise.all(
    acts.filter((_, index) => results[index]?.status === 'rejected').map((act) => act()),
  );
  const ids = ['r1', 'r2', 'again', 'found'];
  const settled = async () => {
    clock.now = new Date(clock.now.getTime() + 10_000);
    await runner.add({ kind: 'wakes the runner', workspaceId: T1, payload: {} });
    const all = await Promise.all(ids.map((id) => stores.requests.get(T1, id)));
    return all
      .map((one) => (one?.announcedRevision === one?.revision ? one?.state : undefined))
      .sort();
  };
  await expect
    .poll(settled, { timeout: 10_000 })
    .toEqual(['created', 'created', 'created', 'in_doubt']);
  expect(design.calls({ operation: 'createCard' })).toHaveLength(5);
  // What was posted, but isn't marked as announced, is posted again.
  const isMarked = !when?.includes('announced_revision');
  if (isMarked) expect(announced).toHaveLength(6);
});
