import { z } from 'zod';
import type { Log } from '../../ops/logging.ts';
import { OperatorError } from '../../ops/operator-error.ts';
import { giveUpRequestJob } from '../../requests/job-handlers.ts';
import { isSearchedFor, REQUEST_JOBS, requestJobInput } from '../../requests/jobs.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { SLACK_JOBS } from '../../slack/interaction/jobs.ts';
import type { Job } from '../../store/jobs.ts';
import type { Stores } from '../../store/stores.ts';
import { WATCH_JOBS } from '../../watching/begin-watching.ts';

type ChangeContext = {
  stores: Pick<Stores, 'transact' | 'requests' | 'jobTable'>;
  now: () => Date;
  log: Log;
};

const CHANGED_MEANWHILE = 'It has changed meanwhile. Look at it again.';
const STILL_WAITS = 'Its request still waits for an API key, and is sent once one is connected.';
const RUNNING =
  'It is running. If the app has stopped since, its next start continues the job; on Postgres, another replica does.';

/** Makes a failed or ready job run now. @throws OperatorError that says why it can't */
export async function retryJob({ stores, now }: ChangeContext, job: Job): Promise<void> {
  if (job.state === 'running') throw refusal(job, RUNNING);
  if (job.state === 'done') throw refusal(job, 'It has done its work.');
  const request = await requestOf(stores, job);
  if (request !== undefined && !hasWork(job, request)) {
    throw refusal(job, `There is nothing left to do: ${outcomeOf(request)}.`);
  }
  const isRetried = await stores.transact(async ({ operatorJobs, auditEntries }) => {
    if (!(await operatorJobs().retry(job, now()))) return false;
    await auditEntries.add(job.workspaceId, entryOf('job_retried', job), now());
    return true;
  });
  if (!isRetried) throw refusal(job, CHANGED_MEANWHILE);
}

/** Ends a ready job, and in the same commit tells the author of its request, if it has one. @returns what follows */
export async function dropJob({ stores, now, log }: ChangeContext, job: Job): Promise<string> {
  if (job.state === 'running') throw refusal(job, RUNNING);
  if (job.state !== 'ready') throw refusal(job, 'It has ended, and is deleted a day later.');
  const follows = DROPPABLE[kindOf(job)];
  if (follows === undefined) {
    throw refusal(job, 'Someone would wait for something and never hear about it.');
  }
  const request = await requestOf(stores, job);
  const isDropped = await stores.transact(async (changes) => {
    if (!(await changes.operatorJobs().drop(job, now()))) return false;
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
      await giveUpRequestJob(ctx, job);
    }
    await changes.auditEntries.add(job.workspaceId, entryOf('job_dropped', job), now());
    return true;
  });
  if (!isDropped) throw refusal(job, CHANGED_MEANWHILE);
  if (request !== undefined && !hasWork(job, request)) return 'It had nothing left to do.';
  return request?.state === 'waiting_for_key' ? STILL_WAITS : follows;
}

function outcomeOf(request: DesignRequest | null): string {
  if (request === null) return 'the request is deleted';
  const { reference, state, announcedRevision, revision } = request;
  const isTold = announcedRevision >= revision;
  return `${reference} is ${state}, and its author ${isTold ? 'has been' : 'is being'} told`;
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
export async function requestOf({ requests }: Pick<Stores, 'requests'>, job: Job) {
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
      return isSearchedFor(request) && isUntold;
    default:
      return isUntold && requestJobInput(job).revision === revision;
  }
}

/** What follows if a job is dropped. Other kinds can't be: someone would wait, and never hear of it. */
const DROPPABLE: Readonly<Record<string, string>> = {
  [REQUEST_JOBS.send]:
    'The request comes back to its author, who is told and can send it again. If it may have been sent already, the app looks for it first.',
  [REQUEST_JOBS.reconcile]: 'The app stops looking for the card, and tells the author now.',
  [REQUEST_JOBS.announce]: 'The author gets one plain line instead.',
  [SLACK_JOBS.completeForm]:
    'The form stays as it is until the person closes it and opens it again.',
  [SLACK_JOBS.keyRejected]:
    'No admin gets a message about the rejected API key. The form and the Home tab still say it.',
  [SLACK_JOBS.greetInstaller]: 'Whoever installed the app gets no message about what is next.',
  [WATCH_JOBS.show]: 'Messages show the card as it was, until it changes again.',
  [`${SLACK_JOBS.event} link_shared`]: 'The links of this message are not shown as cards.',
  [`${SLACK_JOBS.event} entity_details_requested`]:
    'The pane stays empty until the person opens it again.',
  [`${SLACK_JOBS.event} app_home_opened`]:
    'The Home tab is not drawn until the person opens it again.',
};

const slackEvent = z.object({ event: z.object({ type: z.string() }) });

/** With the type of an event from Slack. */
const kindOf = ({ kind, payload }: Job): string =>
  kind === SLACK_JOBS.event ? `${kind} ${slackEvent.safeParse(payload).data?.event.type}` : kind;
