import { setImmediate as nextTurn } from 'node:timers/promises';
import { expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import {
  type DesignRequest,
  type RequestForm,
  type RequestProblem,
  type RequestState,
  requestForm,
  requestProblem,
  requestState,
} from '../requests/request.ts';
import { ROWS_AT_A_TIME } from './batches.ts';
import type { Database } from './database.ts';
import { isHeldUnder } from './jobs.ts';
import { createRowReader } from './rows.ts';
import type { Row, Schema } from './tables.ts';

export type RequestStore = ReturnType<typeof createRequestStore>;

type RequestRow = Row<'requests'>;
type RequestQuery = SelectQueryBuilder<Schema, 'requests', RequestRow>;

export type NewRequest = Pick<
  DesignRequest,
  'id' | 'reference' | 'workspaceId' | 'userId' | 'form' | 'viewId'
>;

export type RequestChange = Partial<
  Pick<DesignRequest, 'problem' | 'cardId' | 'attempts' | 'form' | 'viewId' | 'sentBy'>
>;

type RequestKey = Pick<DesignRequest, 'workspaceId' | 'id'>;

/** Requests in these states are neither cards nor back with their authors. */
export const UNFINISHED_STATES = ['queued', 'sending', 'waiting_for_key', 'in_doubt'] as const;

// Exactly the conditions of the partial indexes in tables.ts: SQLite needs them verbatim.
export const IS_UNFINISHED = sql<SqlBool>`state in ('queued', 'sending', 'waiting_for_key', 'in_doubt')`;
export const HAS_ENDED = sql<SqlBool>`state in ('created', 'rejected', 'discarded')`;
const IS_UNANNOUNCED = sql<SqlBool>`announced_revision < revision and state not in ('queued', 'sending')`;

const columns = expressionBuilder<Schema, 'requests'>();
const NEXT_REVISION = sql<number>`revision + 1`;

const OPEN: readonly RequestState[] = [...UNFINISHED_STATES, 'rejected'];

export function createRequestStore(db: Database, read = createRowReader()) {
  function readable(row: RequestRow | undefined): DesignRequest | undefined {
    if (!row) return undefined;
    const about = { table: 'requests', id: row.id, workspace: row.workspaceId } as const;
    const state = read(about, requestState, row.state, String);
    if (!state) return undefined;
    const form = read(about, requestForm, row.form);
    const problem = read(about, requestProblem, row.problem);
    return {
      ...row,
      form: form ?? unreadableForm(row.reference),
      state,
      problem: !form && NEEDS_FORM.has(state) ? { code: 'unreadable' } : problem,
      message: read(about, message, row.message),
    };
  }
  const readableOf = (rows: readonly RequestRow[]) =>
    rows.map(readable).filter((request) => request !== undefined);
  const one = async (query: RequestQuery) => readable(await query.executeTakeFirst());
  const several = async (query: RequestQuery) => readableOf(await query.execute());

  const all = () => db.selectFrom('requests').selectAll();
  const ofWorkspace = (workspaceId: WorkspaceId) => all().where('workspaceId', '=', workspaceId);
  const newestOf = (workspaceId: WorkspaceId, userId: string) =>
    ofWorkspace(workspaceId).where('userId', '=', userId).orderBy('createdAt', 'desc');

  return {
    /** @returns undefined if a request with this ID exists already: the form was sent twice */
    async add({ form, ...request }: NewRequest, now: Date) {
      const added = await db
        .insertInto('requests')
        .values({
          ...request,
          form: JSON.stringify(form),
          state: 'queued',
          revision: 1,
          attempts: 0,
          announcedRevision: 0,
          createdAt: now,
          updatedAt: now,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returningAll()
        .executeTakeFirst();
      return readable(added);
    },

    get: (workspaceId: WorkspaceId, id: string) =>
      one(ofWorkspace(workspaceId).where('id', '=', id)),

    /** @param reference `DR-…`, in upper case */
    getByReference: (workspaceId: WorkspaceId, reference: string) =>
      one(ofWorkspace(workspaceId).where('reference', '=', reference)),

    /** The request that became this card; undefined if it wasn't made here, or too long ago. */
    getByCard: (workspaceId: WorkspaceId, cardId: string) =>
      one(ofWorkspace(workspaceId).where('cardId', '=', cardId).limit(1)),

    listByAuthor: (workspaceId: WorkspaceId, userId: string, limit: number) =>
      several(newestOf(workspaceId, userId).limit(limit)),

    listOpenByAuthor: (workspaceId: WorkspaceId, userId: string, limit: number) =>
      several(newestOf(workspaceId, userId).where('state', 'in', OPEN).limit(limit)),

    async countByAuthor(workspaceId: WorkspaceId, userId: string) {
      const { count } = await db
        .selectFrom('requests')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(columns.and({ workspaceId, userId }))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    waitingForKey: (workspaceId: WorkspaceId) =>
      eachByAge(ofWorkspace(workspaceId).where('state', '=', 'waiting_for_key'), readableOf),

    /** Of all workspaces. */
    unfinished: (state: (typeof UNFINISHED_STATES)[number]) =>
      eachByAge(all().where('state', '=', state).where(IS_UNFINISHED), readableOf),

    /** Of all workspaces: operators may not know whose a reference is. */
    withReference: (reference: string) => several(all().where('reference', '=', reference)),

    unannounced: () => eachByAge(all().where(IS_UNANNOUNCED), readableOf),

    /**
     * Compares and swaps the state: of two attempts, one succeeds. Clears the problem unless the
     * change has one.
     *
     * @param request only if it was last sent under the claim `whileSentBy`, if that is set, and only
     *   while the claim `whileHeld` is held
     * @returns the changed request; undefined if it wasn't changed
     */
    async changeState(
      request: RequestKey & { whileSentBy?: string | undefined; whileHeld?: string | undefined },
      from: readonly RequestState[],
      to: RequestState,
      { form, problem, ...change }: RequestChange,
      now: Date,
    ) {
      const { workspaceId, id, whileSentBy, whileHeld } = request;
      const changed = await db
        .updateTable('requests')
        .set({ ...change, state: to, updatedAt: now, revision: NEXT_REVISION })
        .set({
          form: form && JSON.stringify(form),
          problem: problem ? JSON.stringify(problem) : null,
        })
        .where(columns.and({ id, workspaceId, sentBy: whileSentBy }))
        .where('state', 'in', from)
        .where(whileHeld === undefined ? sql<SqlBool>`true` : isHeldUnder(whileHeld))
        .returningAll()
        .executeTakeFirst();
      return readable(changed);
    },

    /** If its card isn't known yet. Adds no revision, so nothing is announced. */
    async linkCard({ workspaceId, id }: RequestKey, cardId: string) {
      const linked = await db
        .updateTable('requests')
        .set({ cardId })
        .where(columns.and({ id, workspaceId, state: 'created' }))
        .where('cardId', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return readable(linked);
    },

    /** In all workspaces: requests that wait or are being sent. @returns how many */
    async doubtAllPending(now: Date) {
      const problem: RequestProblem = { code: 'outcome_unknown' };
      const { numUpdatedRows } = await db
        .updateTable('requests')
        .set({ state: 'in_doubt', problem: JSON.stringify(problem), updatedAt: now })
        .set({ revision: NEXT_REVISION })
        .where(IS_UNFINISHED)
        .where('state', 'in', ['queued', 'sending', 'waiting_for_key'])
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** @returns the current revision; undefined if this or a later one was announced already */
    async markAnnounced(
      { workspaceId, id, revision }: RequestKey & Pick<DesignRequest, 'revision'>,
      message?: DesignRequest['message'],
    ) {
      const announced = await db
        .updateTable('requests')
        .set({ announcedRevision: revision, message: message && JSON.stringify(message) })
        .where(columns.and({ id, workspaceId }))
        .where('announcedRevision', '<', revision)
        .returning('revision')
        .executeTakeFirst();
      return announced?.revision;
    },
  };
}

/** The oldest first, page by page; each once, even if it is changed meanwhile. */
async function* eachByAge(
  requests: RequestQuery,
  readableOf: (rows: readonly RequestRow[]) => DesignRequest[],
): AsyncGenerator<DesignRequest> {
  let last: Pick<DesignRequest, 'createdAt' | 'id'> = { createdAt: new Date(0), id: '' };
  for (;;) {
    const { createdAt, id } = last;
    const page = await requests
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('createdAt', 'id'), '>', tuple(createdAt, id)),
      )
      .orderBy('createdAt')
      .orderBy('id')
      .limit(ROWS_AT_A_TIME)
      .execute();
    yield* readableOf(page);
    const lastOfPage = page.at(-1);
    if (!lastOfPage || page.length < ROWS_AT_A_TIME) return;
    last = lastOfPage;
    await nextTurn();
  }
}

const message = z.object({
  channel: z.string(),
  ts: z.string(),
  cardReadAt: z.number().optional(),
});

const unreadableForm = (reference: string): RequestForm => ({
  title: reference,
  requestType: { id: '', name: '' },
  product: '',
  description: { type: 'rich_text', elements: [] },
  dimensions: '',
  software: '',
  formats: [],
  isDraft: false,
});

/** In these states, a request can't go on without its form. */
const NEEDS_FORM: ReadonlySet<RequestState> = new Set(['queued', 'waiting_for_key', 'rejected']);
