import type { Selectable } from 'kysely';
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

/** Not those that a newer version adds. */
export const REQUEST_COLUMNS = [
  'id',
  'reference',
  'workspaceId',
  'userId',
  'form',
  'state',
  'problem',
  'revision',
  'attempts',
  'cardId',
  'viewId',
  'sentBy',
  'message',
  'announcedRevision',
  'createdAt',
  'updatedAt',
] as const;
export type RequestRow = Pick<Selectable<RequestsTable>, (typeof REQUEST_COLUMNS)[number]>;

const message = z.object({ channel: z.string(), ts: z.string() });

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
  row: RequestRow,
  read: <Value>(part: () => Value) => Value | undefined,
): DesignRequest {
  const state = requestState.parse(row.state);
  const parsed = <Value>(type: z.ZodType<Value>, json: string | undefined) =>
    json === undefined ? undefined : read(() => type.parse(JSON.parse(json)));
  const form = parsed(requestForm, row.form);
  const problem = parsed(requestProblem, row.problem);
  return {
    ...row,
    form: form ?? unreadableForm(row.reference),
    state,
    problem: !form && NEEDS_FORM.has(state) ? { code: 'unreadable' } : problem,
    message: parsed(message, row.message),
  };
}
