import type { Insertable, Selectable, Updateable } from 'kysely';
import { z } from 'zod';
import type {
  DesignRequest,
  RequestForm,
  RequestProblem,
  RequestState,
} from '../requests/request.ts';
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
    workspaceId: request.workspaceId,
    userId: request.userId,
    form: JSON.stringify(request.form),
    state: 'queued',
    problem: null,
    revision: 1,
    attempts: 0,
    cardId: null,
    viewId: request.viewId ?? null,
    sentBy: null,
    messageChannel: null,
    messageTs: null,
    announcedRevision: 0,
    createdAt: now.getTime(),
    updatedAt: now.getTime(),
  };
}

/** The changed columns. Without a problem in the change, the previous one is cleared. */
export function changedColumns(change: RequestChange): Updateable<RequestsTable> {
  return {
    problem: change.problem ? JSON.stringify(change.problem) : null,
    ...(change.cardId === undefined ? {} : { cardId: change.cardId }),
    ...(change.attempts === undefined ? {} : { attempts: change.attempts }),
    ...(change.form === undefined ? {} : { form: JSON.stringify(change.form) }),
    ...(change.viewId === undefined ? {} : { viewId: change.viewId }),
    ...(change.sentBy === undefined ? {} : { sentBy: change.sentBy }),
  };
}

const named = z.looseObject({ id: z.string(), name: z.string() });
const text = z.looseObject({
  type: z.literal('rich_text'),
  elements: z.array(z.looseObject({})).readonly(),
});
const files = z.array(named).optional();

const requestForm: z.ZodType<RequestForm> = z.looseObject({
  title: z.string(),
  requestType: named,
  product: z.string(),
  description: text,
  brand: named.optional(),
  dimensions: z.string(),
  software: z.string(),
  formats: z.array(z.string()),
  neededBy: z.string().optional(),
  references: z.string().optional(),
  textCopy: text.optional(),
  referenceFiles: files,
  referenceFilesNote: z.string().optional(),
  additionalFiles: files,
  additionalFilesNote: z.string().optional(),
  textCopyFiles: files,
  isDraft: z.boolean(),
  shareIn: z.string().optional(),
});

const requestProblem: z.ZodType<RequestProblem> = z.looseObject({
  code: z.enum([
    'author_denied',
    'files_unusable',
    'invalid_request',
    'incomplete',
    'no_key',
    'key_rejected',
    'key_unreadable',
    'forbidden',
    'busy',
    'unreachable',
    'outcome_unknown',
    'given_up',
    'unreadable',
    'unexpected',
  ]),
  details: z.record(z.string(), z.string()).optional(),
  message: z.string().optional(),
  retryAt: z.number().optional(),
  keyFingerprint: z.string().optional(),
  reference: z.string().optional(),
  doubt: z.enum(['no_answer', 'service_error', 'unclear_answer']).optional(),
  searchedMinutes: z.number().optional(),
  denied: z.enum(['guest', 'outsider', 'deactivated']).optional(),
});

const requestState = z.enum([
  'queued',
  'sending',
  'created',
  'rejected',
  'waiting_for_key',
  'in_doubt',
  'discarded',
]);

export const readForm = (json: string): RequestForm => requestForm.parse(JSON.parse(json));

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

/** In these states nothing more can become of a request whose form can't be read. */
const NEEDS_FORM: ReadonlySet<RequestState> = new Set(['queued', 'waiting_for_key', 'rejected']);

/**
 * @param read reads a part of the row, or returns undefined if it can't be read
 * @throws if the state can't be read
 */
export function toRequest(
  row: Selectable<RequestsTable>,
  read: <Value>(part: () => Value) => Value | undefined,
): DesignRequest {
  const state = requestState.parse(row.state);
  const form = read(() => readForm(row.form));
  const { problem: stored } = row;
  const problem =
    stored === null ? undefined : read(() => requestProblem.parse(JSON.parse(stored)));
  return {
    id: row.id,
    reference: row.reference,
    workspaceId: row.workspaceId,
    userId: row.userId,
    form: form ?? unreadableForm(row.reference),
    state,
    problem: !form && NEEDS_FORM.has(state) ? { code: 'unreadable' } : problem,
    revision: row.revision,
    attempts: row.attempts,
    cardId: row.cardId ?? undefined,
    viewId: row.viewId ?? undefined,
    sentBy: row.sentBy ?? undefined,
    message:
      row.messageChannel && row.messageTs
        ? { channel: row.messageChannel, ts: row.messageTs }
        : undefined,
    announcedRevision: row.announcedRevision,
    createdAt: new Date(row.createdAt),
    updatedAt: new Date(row.updatedAt),
  };
}
