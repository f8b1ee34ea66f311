import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobStore, NewJob } from '../store/jobs.ts';

/** Stores jobs. A job that is due runs immediately. */
export type JobQueue = ReturnType<typeof createJobQueue>;

/** @param deps.accepts whether a workspace has the app: nothing is stored for one that removed it */
export function createJobQueue(deps: {
  jobs: Pick<JobStore, 'add'>;
  accepts: (workspaceId: WorkspaceId) => Promise<boolean>;
  now: () => Date;
}) {
  const { jobs, accepts, now } = deps;
  return {
    /** @returns false if the identity exists already, or the workspace doesn't have the app */
    add: async (job: NewJob) => (await accepts(job.workspaceId)) && jobs.add(job, now()),
  };
}
