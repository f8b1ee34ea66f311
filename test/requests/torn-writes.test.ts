import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { decideInDoubt } from '../../src/requests/decide.ts';
import { resumeWaiting } from '../../src/requests/resume.ts';
import type { Database } from '../../src/store/database.ts';
import { T1 } from '../installations/ids.ts';
import { kindsOf } from '../store/kinds-of.ts';
import { at } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

const NO_ROOM = 'no room';

/** Makes the database refuse every new job of a kind, as a full disk does. @returns what repairs it */
async function refuseJobs(db: Database, kind: string): Promise<() => Promise<unknown>> {
  const refuse = `CREATE TRIGGER fault BEFORE INSERT ON jobs WHEN NEW.kind = '${kind}'
    BEGIN SELECT RAISE(ABORT, '${NO_ROOM}'); END`;
  await sql.raw(refuse).execute(db);
  return () => sql`DROP TRIGGER fault`.execute(db);
}

describe('if the job that follows a change can’t be stored', () => {
  it.each(['send_again', 'discard'] as const)(
    '%s has no effect, and can be repeated',
    async (decision) => {
      const { db, submit, design, announced, ctx, stateOf } = await requestsUnderTest();
      design.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
      await submit('r1');
      await expect.poll(() => announced).toHaveLength(1);
      const kind = decision === 'send_again' ? 'deliver-request' : 'announce-request';
      const repair = await refuseJobs(db, kind);
      const decide = () =>
        decideInDoubt(ctx, { workspaceId: T1, userId: 'U1', requestId: 'r1', decision });
      await expect(decide()).rejects.toThrow(NO_ROOM);
      expect(await stateOf('r1')).toBe('in_doubt');
      await repair();
      expect(await decide()).toMatchObject({ done: true });
      await expect.poll(() => announced.at(-1)?.state).not.toBe('in_doubt');
    },
  );

  it('a known outcome is kept until it can be stored, and its author is not asked', async () => {
    const { db, submit, design, announced, posts, clock, runner, stateOf } =
      await requestsUnderTest();
    const repair = await refuseJobs(db, 'announce-request');
    await submit('r1');
    await expect.poll(() => design.calls({ operation: 'createCard' })).toHaveLength(1);
    expect(await stateOf('r1')).toBe('sending');
    await repair();
    clock.now = at(600);
    await runner.add({ kind: 'wakes the runner', workspaceId: T1, payload: {} });
    await expect.poll(() => announced).toEqual([{ state: 'created', problem: undefined }]);
    expect(posts()).toBe(1);
  });

  it('a request waiting for a key keeps waiting, and is sent later', async () => {
    const { db, submit, design, announced, ctx, connect, stateOf } = await requestsUnderTest();
    design.revokeKey(design.apiKey);
    await submit('r1');
    await expect.poll(() => announced.at(-1)?.state).toBe('waiting_for_key');
    await connect(T1);
    const repair = await refuseJobs(db, 'deliver-request');
    await expect(resumeWaiting(ctx, T1)).rejects.toThrow(NO_ROOM);
    expect(await stateOf('r1')).toBe('waiting_for_key');
    await repair();
    expect(await resumeWaiting(ctx, T1)).toHaveLength(1);
    await expect.poll(() => announced.at(-1)?.state).toBe('created');
  });

  it('a submission is not stored', async () => {
    const { db, submit, ctx, stateOf, announced } = await requestsUnderTest();
    const repair = await refuseJobs(db, 'deliver-request');
    await expect(submit('r1')).rejects.toThrow(NO_ROOM);
    expect(await stateOf('r1')).toBeUndefined();
    expect(await kindsOf(ctx).formDefaults.of(T1, ['U1', 'C1'])).toEqual([]);
    await repair();
    await submit('r1');
    await expect.poll(() => announced.at(-1)?.state).toBe('created');
  });
});

it('an author is told about the card in the thread of the confirmation, even if that can’t be stored at first', async () => {
  const { db, submit, announced, clock, runner, stores } = await requestsUnderTest();
  const refuse = `CREATE TRIGGER fault BEFORE UPDATE ON card_watchers
    BEGIN SELECT RAISE(ABORT, '${NO_ROOM}'); END`;
  await sql.raw(refuse).execute(db);
  await submit('r1');
  await expect.poll(() => announced).toHaveLength(1);
  await sql`DROP TRIGGER fault`.execute(db);
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
