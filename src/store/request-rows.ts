import type { Insertable, Selectable, Updateable } from 'kysely';
import type { DesignRequest, RequestForm, RequestState } from '../requests/request.ts';
import type { RequestsTable } from './schema.ts';

export type NewRequest = Pick<
  DesignRequest,
  'id' | 'reference' | 'workspaceId' | 'userId' | 'form' | 'viewId'
>;

/** Properties that may change together with the state. */
export type RequestChange = {
  problem?: DesignRequest['problem'];
  cardId?: string | undefined;
  attempts?: number;
  form?: RequestForm;
  viewId?: string | undefined;
  /** The claim of the job that sends it. */
  sentBy?: string;
};

export function newRow(request: NewRequest, now: Date): Insertable<RequestsTable> {
  return {
    id: request.id,
    reference: request.reference,
    workspace_id: request.workspaceId,
    user_id: request.userId,
    form: JSON.stringify(request.form),
    state: 'queued',
    problem: null,
    revision: 1,
    attempts: 0,
    card_id: null,
    view_id: request.viewId ?? null,
    sent_by: null,
    message_channel: null,
    message_ts: null,
    announced_revision: 0,
    created_at: now.getTime(),
    updated_at: now.getTime(),
  };
}

/** The changed columns. Without a problem in the change, the previous one is cleared. */
export function changedColumns(change: RequestChange): Updateable<RequestsTable> {
  return {
    problem: change.problem ? JSON.stringify(change.problem) : null,
    ...(change.cardId === undefined ? {} : { card_id: change.cardId }),
    ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
    ...(change.form === undefined ? {} : { form: JSON.stringify(change.form) }),
    ...(change.viewId === undefined ? {} : { view_id: change.viewId }),
    ...(change.sentBy === undefined ? {} : { sent_by: change.sentBy }),
  };
}

export function toRequest(row: Selectable<RequestsTable>): DesignRequest {
  return {
    id: row.id,
    reference: row.reference,
    workspaceId: row.workspace_id,
    userId: row.user_id,
    form: JSON.parse(row.form) as RequestForm,
    state: row.state as RequestState,
    problem: row.problem ? (JSON.parse(row.problem) as DesignRequest['problem']) : undefined,
    revision: row.revision,
    attempts: row.attempts,
    cardId: row.card_id ?? undefined,
    viewId: row.view_id ?? undefined,
    sentBy: row.sent_by ?? undefined,
    message:
      row.message_channel && row.message_ts
        ? { channel: row.message_channel, ts: row.message_ts }
        : undefined,
    announcedRevision: row.announced_revision,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
