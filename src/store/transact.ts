import { type ApiKeyStore, rejectedMarkerOf } from './api-keys.ts';
import { type ChannelBrandStore, createChannelBrandStore } from './channel-brands.ts';
import type { Database } from './database.ts';
import { insertJobs, jobRow, toAdded } from './insert-jobs.ts';
import { type InteractionStore, insertInteractions, interactionRow } from './interactions.ts';
import type { AddedJob, JobNotifications } from './job-notifications.ts';
import type { JobStore } from './jobs.ts';
import { createRequestStore, type RequestStore } from './requests.ts';

/** What can be changed in one commit. */
type Changes = {
  requests: RequestStore;
  channelBrands: ChannelBrandStore;
  interactions: Pick<InteractionStore, 'take'>;
  jobs: Pick<JobStore, 'add'>;
  keys: Pick<ApiKeyStore, 'markRejected'>;
};

/**
 * Changes several things in one commit, all or nothing: what has changed is never without the job that
 * follows from it.
 *
 * @param work changes what it is given and nothing else; no call to Slack or the service is made in it,
 *   since nobody else can write meanwhile. Where it throws, nothing is changed.
 */
export type Transact = <Result>(work: (changes: Changes) => Promise<Result>) => Promise<Result>;

export function createTransact(db: Database, notifications: JobNotifications): Transact {
  return async (work) => {
    const added: AddedJob[] = [];
    const result = await db.transaction().execute((tx) => {
      const jobs: Changes['jobs'] = {
        async add(job, now) {
          const [isNew = false] = await insertJobs(tx, [jobRow(job, now)]);
          if (isNew) added.push(toAdded(job, now));
          return isNew;
        },
      };
      return work({
        requests: createRequestStore(tx),
        channelBrands: createChannelBrandStore(tx),
        interactions: {
          async take(interaction, now) {
            const [isFirst = false] = await insertInteractions(tx, [
              interactionRow(interaction, now),
            ]);
            return isFirst;
          },
        },
        jobs,
        keys: { markRejected: rejectedMarkerOf(tx) },
      });
    });
    if (added.length > 0) notifications.added(added);
    return result;
  };
}
