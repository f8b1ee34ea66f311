import type { ClaimedJob, JobStore } from '../../src/store/jobs.ts';

/** Claims the job that comes next. */
export const claimOne = async (
  jobs: Pick<JobStore, 'claim'>,
  now: Date,
): Promise<ClaimedJob | undefined> => (await jobs.claim(now, 1))[0];
