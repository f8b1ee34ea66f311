import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { JobStore, NewJob } from '../store/jobs.ts';

/** Stores jobs. A job that is due runs immediately. */
export type JobQueue = {
  /** @returns false if a job with this identity exists already, or the workspace doesn't have the app */
  add(job: NewJob): Promise<boolean>;
};

/** @param deps.accepts whether a workspace has the app: nothing new is stored for one that has removed it */
export function createJobQueue(deps: {
  jobs: Pick<JobStore, 'add'>;
  accepts: (workspaceId: WorkspaceId) => Promise<boolean>;
  now: () => Date;
}): JobQueue {
  const { jobs, accepts, now } = deps;
  return {
    add: async (job) => (await accepts(job.workspaceId)) && jobs.add(job, now()),
  };
}
