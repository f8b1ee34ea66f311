import { expect, it } from 'vitest';
import { dropJob, retryJob } from '../../src/commands/jobs/change-job.ts';
import { createLog } from '../../src/ops/logging.ts';
import { REQUEST_JOBS, reconcileJob } from '../../src/requests/jobs.ts';
import { requestsUnderTest } from '../requests/requests-under-test.ts';

it.each(['in_doubt', 'created'] as const)(
  'the search for a card of a request that is %s can run now, and be dropped',
  async (state) => {
    const { submit, stores, clock, jobsOfKind } = await requestsUnderTest({ started: false });
    const request = await submit('r1');
    // Created, but the answer didn't name the card.
    const changed = await stores.requests.changeState(request, ['queued'], state, {}, clock.now);
    if (!changed) throw new Error('it was not changed');
    await stores.transact(({ jobs }) => jobs.add(reconcileJob(changed), clock.now));
    const search = async () => {
      const [row] = await jobsOfKind(REQUEST_JOBS.reconcile);
      if (!row) throw new Error('there is no search');
      return { ...row, isUrgent: false };
    };
    const ctx = { stores, now: () => clock.now, log: createLog({ level: 'silent' }) };

    await retryJob(ctx, await search());
    expect(await dropJob(ctx, await search())).toContain('tells the author now');
    expect(await jobsOfKind(REQUEST_JOBS.announce)).toHaveLength(1);
  },
);
