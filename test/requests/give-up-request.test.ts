import { expect, it } from 'vitest';
import { createLog } from '../../src/ops/logging.ts';
import { giveUpRequestJob } from '../../src/requests/job-handlers.ts';
import { REQUEST_JOBS } from '../../src/requests/jobs.ts';
import { claimOf } from '../../src/store/jobs.ts';
import { T1 } from '../installations/ids.ts';
import { claimOne } from '../store/stores-under-test.ts';
import { requestsUnderTest } from './requests-under-test.ts';

/** A request that waits, and what the runner does when it gives up one of its jobs. */
async function waitingRequest() {
  const requests = await requestsUnderTest({ started: false });
  const request = await requests.submit('r1');
  const ctx = { ...requests.ctx, log: createLog({ level: 'silent' }) };
  const about = { workspaceId: T1, payload: { requestId: 'r1', revision: 1 }, identity: undefined };
  return {
    ...requests,
    request,
    giveUp: (kind: string) => giveUpRequestJob(ctx, { kind, ...about }),
  };
}

it('the author of a request that may have been sent is asked, unless another job is sending it', async () => {
  const { request, giveUp, jobsOfKind, stores, clock, stateOf } = await waitingRequest();
  const sender = await claimOne(stores.jobTable, clock.now);
  if (!sender) throw new Error('there is no job');
  const change = { attempts: 1, sentBy: claimOf(sender) };
  await stores.requests.changeState(request, ['queued'], 'sending', change, clock.now);
  await giveUp(REQUEST_JOBS.send);
  expect(await stateOf('r1')).toBe('sending');
  await stores.jobTable.finish(sender, 'failed', clock.now);
  await giveUp(REQUEST_JOBS.send);
  expect(await stateOf('r1')).toBe('in_doubt');
  // Its author is asked unless the card is found.
  expect(await jobsOfKind(REQUEST_JOBS.reconcile)).toHaveLength(1);
});

it('the author of a request that can’t be searched for is asked', async () => {
  const { request, giveUp, jobsOfKind, stores, clock } = await waitingRequest();
  await stores.requests.changeState(request, ['queued'], 'in_doubt', {}, clock.now);
  await giveUp(REQUEST_JOBS.reconcile);
  expect(await jobsOfKind(REQUEST_JOBS.announce)).toHaveLength(1);
});
