import type { Log } from '../../ops/logging.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { giveUpRequestJob } from '../../requests/give-up-request.ts';
import { REQUEST_JOBS, requestJobInput } from '../../requests/jobs.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { Job } from '../../store/jobs.ts';
import type { Stores } from '../../store/stores.ts';
import { whatADropMeans } from './what-a-drop-means.ts';

type ChangeContext = {
  stores: Pick<Stores, 'transact' | 'requests' | 'jobTable'>;
  now: () => Date;
  log: Log;
};

const CHANGED_MEANWHILE = 'It has changed meanwhile. Look at it again.';
const STILL_WAITS = 'Its request still waits for an API key, and is sent once one is connected.';
const RUNNING =
  'It is running. If the app has stopped since, its next start continues the job; on Postgres, another replica does.';

/**
 * Makes a failed or ready job run now.
 *
 * @throws OperatorError that says why it can't
 */
export async function retryJob({ stores, now }: ChangeContext, job: Job): Promise<void> {
  if (job.state === 'running') throw refusal(job, RUNNING);
  if (job.state === 'done') throw refusal(job, 'It has done its work.');
  const request = await requestOf(stores, job);
  if (request !== undefined && !hasWork(job, request)) {
    const state = request ? `${request.reference} is ${request.state}` : 'the request is deleted';
    throw refusal(job, `There is nothing left to do: ${state}, and its author has been told.`);
  }
  const isRetried = await stores.transact(async ({ jobs, auditEntries }) => {
    if (!(await jobs.retry(job, now()))) return false;
    await auditEntries.add(job.workspaceId, entryOf('job_retried', job), now());
    return true;
  });
  if (!isRetried) throw refusal(job, CHANGED_MEANWHILE);
}

/**
 * Ends a ready job. If it belongs to a request, the request's author is told in the same commit that ends the job.
 *
 * @returns what follows
 * @throws OperatorError that says why it can't be dropped
 */
export async function dropJob({ stores, now, log }: ChangeContext, job: Job): Promise<string> {
  if (job.state === 'running') throw refusal(job, RUNNING);
  if (job.state !== 'ready') throw refusal(job, 'It has ended, and is deleted a day later.');
  const means = whatADropMeans(job);
  const request = await requestOf(stores, job);
  const isNeeded = request === undefined || hasWork(job, request);
  if ('refused' in means && isNeeded) throw refusal(job, means.refused);
  const isDropped = await stores.transact(async (changes) => {
    if (!(await changes.jobs.drop(job, now()))) return false;
    if (request !== undefined) {
      const ctx = {
        requests: changes.requests,
        jobs: {
          add: (next: Parameters<typeof changes.jobs.add>[0]) => changes.jobs.add(next, now()),
        },
        transact: <Result>(work: (within: typeof changes) => Promise<Result>) => work(changes),
        jobTable: { isHeld: stores.jobTable.isHeld },
        now,
        log,
      };
      const { requestId } = requestJobInput(job);
      await giveUpRequestJob(ctx, job.kind, { workspaceId: job.workspaceId, requestId });
    }
    await changes.auditEntries.add(job.workspaceId, entryOf('job_dropped', job), now());
    return true;
  });
  if (!isDropped) throw refusal(job, CHANGED_MEANWHILE);
  if (!isNeeded || 'refused' in means) return 'It had nothing left to do.';
  if (request?.state === 'waiting_for_key') return STILL_WAITS;
  return means.follows;
}

const refusal = ({ id, kind }: Job, why: string) =>
  new OperatorError(`Job ${id} (${kind}) is left as it is. ${why}`);

const entryOf = (what: 'job_retried' | 'job_dropped', { id, kind }: Job) => ({
  what,
  by: undefined,
  about: `${kind}, ${id}`,
  changes: [],
});

const KINDS: readonly string[] = Object.values(REQUEST_JOBS);

/** @returns the request of a job, null if it is deleted; undefined if the job doesn't name one */
export async function requestOf(
  { requests }: Pick<Stores, 'requests'>,
  job: Job,
): Promise<DesignRequest | null | undefined> {
  if (!KINDS.includes(job.kind)) return undefined;
  return (await requests.get(job.workspaceId, requestJobInput(job).requestId)) ?? null;
}

/** Whether a request is still in a state in which its job does something. */
function hasWork(job: Job, request: DesignRequest | null): boolean {
  if (request === null) return false;
  const { state, revision, announcedRevision } = request;
  const isUntold = announcedRevision < revision;
  switch (job.kind) {
    case REQUEST_JOBS.send:
      return state === 'queued' || state === 'sending' || state === 'waiting_for_key';
    case REQUEST_JOBS.reconcile:
      return state === 'in_doubt' && isUntold;
    default:
      return isUntold && requestJobInput(job).revision === revision;
  }
}
