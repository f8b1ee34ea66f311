import type { DesignRequest, RequestProblem, RequestState } from '../requests/request.ts';
import type { WorkspaceId } from '../workspaces/workspace-id.ts';
import type { Database } from './database.ts';
import {
  changedColumns,
  type NewRequest,
  newRow,
  type RequestChange,
  toRequest,
} from './request-rows.ts';

export type RequestStore = {
  /** @returns false where a request with this id exists already: the form was sent twice */
  add(request: NewRequest, now: Date): Promise<boolean>;
  get(workspaceId: WorkspaceId, id: string): Promise<DesignRequest | undefined>;
  /** The newest first. */
  listByAuthor(workspaceId: WorkspaceId, userId: string, limit: number): Promise<DesignRequest[]>;
  listByState(workspaceId: WorkspaceId, state: RequestState): Promise<DesignRequest[]>;
  /** Of all workspaces: what a process that ended had not delivered, and what it had not told of. */
  listUndelivered(): Promise<DesignRequest[]>;
  listUnannounced(): Promise<DesignRequest[]>;
  /** Of all workspaces: what waits for a key. */
  listWaiting(): Promise<DesignRequest[]>;
  /**
   * Moves a request on, if it still is in one of the given states: of two who try, one succeeds.
   *
   * @param request with `whileSentBy` only while it is that claim which sends it
   * @returns the request as it is now, or undefined where it was in another state
   */
  move(
    request: Pick<DesignRequest, 'workspaceId' | 'id'> & { whileSentBy?: string | undefined },
    from: readonly RequestState[],
    to: RequestState,
    change: RequestChange,
    now: Date,
  ): Promise<DesignRequest | undefined>;
  /** Makes doubtful, of all workspaces, whatever waits to be sent or is being sent. @returns how many */
  doubtAllUndelivered(now: Date): Promise<number>;
  /** Deletes what was settled before a moment, with everything that was typed. @returns how many */
  pruneSettled(before: Date): Promise<number>;
  /** Remembers that the author was told of this revision, and where the confirmation stands. */
  markAnnounced(
    request: Pick<DesignRequest, 'workspaceId' | 'id' | 'revision'>,
    message?: { channel: string; ts: string },
  ): Promise<void>;
};

export function createRequestStore(db: Database): RequestStore {
  return {
    async add(request, now) {
      const added = await db
        .insertInto('requests')
        .values(newRow(request, now))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .execute();
      return added.length > 0;
    },

    async get(workspaceId, id) {
      const row = await db
        .selectFrom('requests')
        .selectAll()
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return row && toRequest(row);
    },

    async listByAuthor(workspaceId, userId, limit) {
      const rows = await db
        .selectFrom('requests')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRequest);
    },

    async listByState(workspaceId, state) {
      const rows = await db
        .selectFrom('requests')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', state)
        .orderBy('created_at')
        .execute();
      return rows.map(toRequest);
    },

    async listUndelivered() {
      const rows = await db
        .selectFrom('requests')
        .selectAll()
        .where('state', 'in', ['queued', 'sending'])
        .execute();
      return rows.map(toRequest);
    },

    async listWaiting() {
      const rows = await db
        .selectFrom('requests')
        .selectAll()
        .where('state', '=', 'waiting_for_key')
        .execute();
      return rows.map(toRequest);
    },

    async listUnannounced() {
      const rows = await db
        .selectFrom('requests')
        .selectAll()
        .where('state', 'not in', ['queued', 'sending'])
        .whereRef('announced_revision', '<', 'revision')
        .execute();
      return rows.map(toRequest);
    },

    async move({ workspaceId, id, whileSentBy }, from, to, change, now) {
      const row = await db
        .updateTable('requests')
        .set((eb) => ({
          state: to,
          ...changedColumns(change),
          revision: eb('revision', '+', 1),
          updated_at: now.getTime(),
        }))
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .where('state', 'in', from)
        .$if(whileSentBy !== undefined, (query) => query.where('sent_by', '=', whileSentBy ?? ''))
        .returningAll()
        .executeTakeFirst();
      return row && toRequest(row);
    },

    async doubtAllUndelivered(now) {
      const problem: RequestProblem = { code: 'outcome_unknown' };
      const result = await db
        .updateTable('requests')
        .set((eb) => ({
          state: 'in_doubt',
          problem: JSON.stringify(problem),
          revision: eb('revision', '+', 1),
          updated_at: now.getTime(),
        }))
        .where('state', 'in', ['queued', 'sending', 'waiting_for_key'])
        .executeTakeFirst();
      return Number(result.numUpdatedRows);
    },

    async pruneSettled(before) {
      const result = await db
        .deleteFrom('requests')
        .where('state', 'in', ['created', 'rejected', 'discarded'])
        .where('updated_at', '<', before.getTime())
        .executeTakeFirst();
      return Number(result.numDeletedRows);
    },

    async markAnnounced({ workspaceId, id, revision }, message) {
      await db
        .updateTable('requests')
        .set({
          announced_revision: revision,
          ...(message ? { message_channel: message.channel, message_ts: message.ts } : {}),
        })
        .where('id', '=', id)
        .where('workspace_id', '=', workspaceId)
        .where('announced_revision', '<', revision)
        .execute();
    },
  };
}
