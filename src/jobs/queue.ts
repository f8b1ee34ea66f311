import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { NewJob } from '../store/insert-jobs.ts';
import type { JobStore } from '../store/jobs.ts';
import type { Backpressure } from './backpressure.ts';

/** Stores work; it runs at once if its time has come. */
export type JobQueue = {
  /** @returns false if a job of this identity is known already, or its workspace doesn't have the app */
  add(job: NewJob): Promise<boolean>;
};

/** @param deps.accepts whether work may be done for a workspace: nothing brings back one that has left */
export function createJobQueue(deps: {
  jobs: Pick<JobStore, 'add'>;
  backpressure: Backpressure;
  accepts?: (workspaceId: WorkspaceId) => Promise<boolean>;
  now: () => Date;
}): JobQueue {
  const { jobs, backpressure, accepts = async () => true, now } = deps;
  return {
    async add(job) {
      if (!(await accepts(job.workspaceId))) return false;
      backpressure.arrived();
      return jobs.add(job, now());
    },
  };
}
