import { z } from 'zod';
import {
  type DesignRequest,
  type RequestForm,
  type RequestState,
  requestForm,
  requestProblem,
  requestState,
} from '../requests/request.ts';
import type { Row } from './schema.ts';

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
export type RequestRow = Pick<Row<'requests'>, (typeof REQUEST_COLUMNS)[number]>;

const message = z.object({ channel: z.string(), ts: z.string() });

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
