import { expect, it } from 'vitest';
import { dropJob, retryJob } from '../../src/commands/jobs/change-job.ts';
import { createLog } from '../../src/ops/logging.ts';
import { REQUEST_JOBS, reconcileJob } from '../../src/requests/jobs.ts';
import { createOperatorJobs } from '../../src/store/operator-jobs.ts';
import { T1 } from '../installations/ids.ts';
import { requestsUnderTest } from '../requests/requests-under-test.ts';

const log = createLog({ level: 'silent' });

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
    const ctx = { stores, now: () => clock.now, log };

    await retryJob(ctx, await search());
    const { runAt, id } = await search();
    expect(runAt).toEqual(clock.now);
    const about = `${REQUEST_JOBS.reconcile}, ${id}`;
    expect(await stores.auditEntries.list([T1], 1)).toMatchObject([{ what: 'job_retried', about }]);
    expect(await dropJob(ctx, await search())).toContain('tells the author now');
    expect(await jobsOfKind(REQUEST_JOBS.announce)).toHaveLength(1);
  },
);

it('only those jobs are dropped that leave nobody without an answer', async () => {
  const { db, stores, clock } = await requestsUnderTest({ started: false });
  const ctx = { stores, now: () => clock.now, log };
  const event = (type: string) => ({ event: { type } });
  for (const job of [
    { kind: 'file-lost', payload: {} },
    { kind: 'tell-watchers', payload: {} },
    { kind: 'a-kind-of-tomorrow', payload: {} },
    { kind: 'slack-event', payload: event('function_executed') },
    { kind: 'slack-event', payload: event('app_uninstalled') },
    { kind: 'slack-event', payload: event('link_shared') },
  ]) {
    await stores.jobTable.add({ ...job, workspaceId: T1 }, clock.now);
  }
  const jobs = await createOperatorJobs(db).list({ states: ['ready'], limit: 9 });
  const results = await Promise.all(
    jobs.map((job) => dropJob(ctx, job).catch((error: unknown) => String(error))),
  );
  expect(results.filter((result) => result.includes('is left as it is'))).toHaveLength(5);
  expect(results.at(-1)).toBe('The links of this message are not shown as cards.');
});
