import { expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { type SendContext, sendRequest } from '../../src/requests/send-request.ts';
import { DesignApiError } from '../../src/service/errors.ts';
import { claimOf } from '../../src/store/jobs.ts';
import { createStores } from '../../src/store/stores.ts';
import { T1 } from '../installations/ids.ts';
import { FORM } from '../store/request-suite.ts';
import { temporaryDatabase } from '../store/sqlite-files.ts';
import { claimOne } from '../store/stores-under-test.ts';

const now = () => new Date('2026-05-01T10:00:00Z');

/**
 * One request and its job, with a service that answers `POST /card` as given.
 *
 * @param prepareCard runs between checking the request and marking it as sending
 */
async function delivering(call: () => Promise<never>, prepareCard = async () => {}) {
  const { db } = await temporaryDatabase();
  const { keys, requests, transact, jobTable } = createStores(db, [
    { id: 'k1', key: new Uint8Array(32) },
  ]);
  const request = { id: 'r1', workspaceId: T1, reference: 'DR-1', userId: 'U1', form: FORM };
  await requests.add(request, now());
  await jobTable.add({ kind: 'deliver-request', workspaceId: T1, payload: {} }, now());
  const ctx: SendContext = {
    ...{ requests, keys, transact, now, jobTable },
    log: createLog({ level: 'silent' }),
    inFlight: new Map(),
    cards: { forgetCard: async () => undefined },
    referenceLists: { formOptions: async () => ({ requestTypes: [], brands: [] }) },
    stopping: new AbortController().signal,
    checkAuthor: async () => undefined,
    checkFiles: async () => undefined,
    async toNewCard() {
      await prepareCard();
      return {
        ...{ title: '', description: '', typeId: '', product: '', dimension: '' },
        ...{ software: '', fileFormats: '' },
      };
    },
    service: {
      open: async (workspaceId) => ({
        workspaceId,
        keyConnectedAt: new Date(0),
        fingerprint: 'fingerprint',
        ready: async () => undefined,
        call,
      }),
    },
  };
  return {
    ...{ db, keys, requests },
    claim: () => claimOne(jobTable, now()),
    async deliver() {
      const job = await claimOne(jobTable, now());
      if (!job) throw new Error('no job could be claimed');
      return sendRequest(ctx, { workspaceId: T1, requestId: 'r1', claim: claimOf(job) });
    },
    /** Does what another replica does with the jobs of a process that it believes dead. */
    giveBack: () => db.updateTable('jobs').set({ state: 'ready' }).execute(),
  };
}

const refusal = (code: 'unauthorized' | 'rate_limited') =>
  new DesignApiError({ code, operation: 'createCard', message: 'refused' });

it('a request keeps a job if its process lost the first one while the service rejected it', async () => {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const { promise: sending, resolve: begin } = Promise.withResolvers<void>();
  const world = await delivering(() => {
    begin();
    return refused;
  });
  const first = world.deliver();
  await sending;
  await world.giveBack();
  const second = await world.deliver();
  reject(refusal('rate_limited'));
  await first;
  expect((await world.requests.get(T1, 'r1'))?.state).toBe('queued');
  expect(second).toMatchObject({ retryAt: expect.any(Date) });
});

it('a request isn’t marked as sending if its job was reclaimed while the card was prepared', async () => {
  const begun = Promise.withResolvers<void>();
  const takenBack = Promise.withResolvers<void>();
  const world = await delivering(
    async () => {
      throw refusal('rate_limited');
    },
    async () => {
      begun.resolve();
      await takenBack.promise;
    },
  );
  const frozen = world.deliver();
  await begun.promise;
  await world.giveBack();
  await world.claim();
  takenBack.resolve();
  expect(await frozen).toBe('done');
  // The new owner of the job finds it unchanged, and sends it.
  expect(await world.requests.get(T1, 'r1')).toMatchObject({ state: 'queued', attempts: 0 });
});
