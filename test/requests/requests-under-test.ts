import { onTestFinished } from 'vitest';
import { createWorkspaceSettings } from '../../src/installations/settings.ts';
import { createLease, type Lease, type LeaseTiming } from '../../src/jobs/lease.ts';
import { createJobQueue } from '../../src/jobs/queue.ts';
import { createJobRunner } from '../../src/jobs/runner.ts';
import { createLog } from '../../src/ops/logging.ts';
import { requestGiveUpHandlers, requestJobHandlers } from '../../src/requests/job-handlers.ts';
import { resumeRequests } from '../../src/requests/resume.ts';
import { type Submission, submitRequest } from '../../src/requests/submit-request.ts';
import type { ServiceAccess } from '../../src/service/service-access.ts';
import { retryAfterSlackError } from '../../src/slack/client/errors.ts';
import type { Stores } from '../../src/store/stores.ts';
import { connectedWorkspaces } from '../installations/connected-workspaces.ts';
import { T1 } from '../installations/ids.ts';
import { FORM } from '../store/request-suite.ts';

type Announcement = { state: string; problem: string | undefined };

const submission = (formId: string, changes: Partial<Submission> = {}): Submission => ({
  formId,
  workspaceId: T1,
  userId: 'U1',
  channelId: 'C1',
  viewId: 'V1',
  form: { ...FORM, requestType: { id: 'type-social', name: 'Social media' } },
  ...changes,
});

/** Requests on their way to the stand-in service, with their jobs; announcements go to a list. */
export async function requestsUnderTest(options: { started?: boolean } = {}) {
  const workspaces = await connectedWorkspaces();
  const { stores, service, openService, openAgain, cards, referenceLists, design, clock, db } =
    workspaces;
  const now = () => clock.now;
  const log = createLog({ level: 'silent' });
  const announced: Announcement[] = [];
  const trouble: {
    announcing?: Error | undefined;
    beforeSending?: (() => Promise<void>) | undefined;
  } = {};

  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());

  function startProcess(reached: ServiceAccess, own: Stores = stores, lease?: Lease) {
    const jobs = createJobQueue({ jobs: own.jobTable, accepts: async () => true, now });
    const runner = createJobRunner({
      jobs: own.jobTable,
      now,
      log,
      lease,
      giveUpHandlers: requestGiveUpHandlers({ ...own, jobs, now, log }),
      retryAfter: retryAfterSlackError,
      handlers: requestJobHandlers({
        retryAfter: retryAfterSlackError,
        ...own,
        settings: createWorkspaceSettings(own.entries),
        service: reached,
        cards,
        referenceLists,
        jobs,
        now,
        log,
        stopping: stopping.signal,
        checkAuthor: async () => undefined,
        checkFiles: async () => undefined,
        async toNewCard({ form, reference }) {
          await trouble.beforeSending?.();
          return {
            title: form.title,
            description: `<p>A banner</p><p>${reference}</p>`,
            typeId: form.requestType.id,
            product: form.product,
            dimension: form.dimensions,
            software: form.software,
            fileFormats: form.formats.join(', '),
          };
        },
        announcer: {
          async announce(request) {
            if (trouble.announcing) throw trouble.announcing;
            announced.push({ state: request.state, problem: request.problem?.code });
            return { channel: 'C1', ts: '1.1' };
          },
          tellPlainly: async () => undefined,
          show: async () => undefined,
        },
      }),
    });
    onTestFinished(() => runner.stop());
    return { runner: { start: runner.start, stop: runner.stop, ...jobs }, jobs };
  }

  const { runner, jobs } = startProcess(service);
  if (options.started ?? true) await runner.start();
  const ctx = { ...stores, jobs, now };
  return {
    ...workspaces,
    ctx,
    runner,
    announced,
    trouble,
    submit: async (formId: string, changes?: Partial<Submission>) =>
      (await submitRequest(ctx, submission(formId, changes))).request,
    stateOf: async (id: string) => (await stores.requests.get(T1, id))?.state,
    posts: () => design.calls({ operation: 'createCard' }).length,
    /** Ends the process and starts another, which takes over what it left. */
    async restart() {
      await runner.stop();
      const next = startProcess(openService());
      await resumeRequests({ ...stores, jobs: next.jobs, now });
      await next.runner.start();
      return next.runner;
    },
    /** Starts a further process beside those that run; on Postgres. */
    async addReplica(timing: LeaseTiming) {
      const own = await openAgain();
      const resume = () => resumeRequests({ ...own, jobs: replica.jobs, now });
      const lease = createLease({
        replicas: own.replicas,
        onExpired: resume,
        now,
        log,
        timing,
      });
      const replica = startProcess(openService(), own, lease);
      await resume();
      await replica.runner.start();
      return { ...replica, stores: own };
    },
    jobsOfKind: async (kind: string) =>
      db.selectFrom('jobs').selectAll().where('kind', '=', kind).orderBy('id').execute(),
  };
}
