import type { WorkspaceId } from '../installations/workspace-id.ts';
import type { AttachedFile } from './attached-files.ts';

/** Text as the form's editor gives it. It is stored and shown again; only the code of the form reads it. */
export type FormattedText = { type: 'rich_text'; elements: readonly object[] };

/** The form as a person filled it in: enough to send it, and to show it again. */
export type RequestForm = {
  title: string;
  requestType: { id: string; name: string };
  product: string;
  description: FormattedText;
  brand?: { id: string; name: string } | undefined;
  dimensions: string;
  software: string;
  formats: string[];
  /** A day, as `YYYY-MM-DD`. */
  neededBy?: string | undefined;
  /** Links, one per line. */
  references?: string | undefined;
  textCopy?: FormattedText | undefined;
  referenceFiles?: AttachedFile[] | undefined;
  referenceFilesNote?: string | undefined;
  additionalFiles?: AttachedFile[] | undefined;
  additionalFilesNote?: string | undefined;
  textCopyFiles?: AttachedFile[] | undefined;
  isDraft: boolean;
  /** The conversation to post the confirmation in; a direct message to the author if undefined. */
  shareIn?: string | undefined;
};

/**
 * - `queued`: will be sent when the service allows.
 * - `sending`: may have been sent. A process that finds this state after a crash can't know.
 * - `created`: final.
 * - `rejected`, `discarded`: nothing happens to it automatically, but its form can be sent again.
 * - `waiting_for_key`: will be sent when an API key is connected.
 * - `in_doubt`: may or may not have become a card; its author decides what happens.
 */
export type RequestState =
  | 'queued'
  | 'sending'
  | 'created'
  | 'rejected'
  | 'waiting_for_key'
  | 'in_doubt'
  | 'discarded';

/** Why the author of a request may not make requests any more. */
export type AuthorDenied = 'guest' | 'outsider' | 'deactivated';

/** Why a request isn't a card yet. */
export type RequestProblem = {
  code:
    | 'author_denied'
    | 'files_unusable'
    | 'invalid_request'
    | 'incomplete'
    | 'no_key'
    | 'key_rejected'
    | 'key_unreadable'
    | 'forbidden'
    | 'busy'
    | 'unreachable'
    | 'outcome_unknown'
    | 'given_up'
    | 'unreadable'
    | 'unexpected';
  /** A message for each refused field: the service's, by its name there, or ours, by its label. */
  details?: Record<string, string> | undefined;
  /** The service's message for the whole request. */
  message?: string | undefined;
  /** When it is sent again automatically, in ms since 1970. */
  retryAt?: number | undefined;
  /** The key that was refused; the request waits for another one. */
  keyFingerprint?: string | undefined;
  /** Identifies the error in the log (`E-…`). */
  reference?: string | undefined;
  /** Only with `outcome_unknown`: what went wrong while it was sent, if that is known. */
  doubt?: 'no_answer' | 'service_error' | 'unclear_answer' | undefined;
  /** Only while its author is asked: how long it was searched for in vain, in minutes. */
  searchedMinutes?: number | undefined;
  /** Only with `author_denied`. */
  denied?: AuthorDenied | undefined;
};

export type DesignRequest = {
  /** The form's own ID: however often a form is submitted, it is one request. */
  id: string;
  /** `DR-…` */
  reference: string;
  workspaceId: WorkspaceId;
  userId: string;
  /** With `unreadable`, an empty one. */
  form: RequestForm;
  state: RequestState;
  problem?: RequestProblem | undefined;
  /** Incremented with every change. */
  revision: number;
  /** How often it was sent. */
  attempts: number;
  cardId?: string | undefined;
  /** The modal in which it was submitted. */
  viewId?: string | undefined;
  /** The claim of the job that sent it most recently. */
  sentBy?: string | undefined;
  /** The message about it that is kept up to date. */
  message?: { channel: string; ts: string } | undefined;
  /** The last revision that was announced; 0 if none. */
  announcedRevision: number;
  createdAt: Date;
  updatedAt: Date;
};

/** Whether it became a card, and nobody knows which: the service's answer didn't name it. */
export const isUnnamed = ({ state, cardId }: Pick<DesignRequest, 'state' | 'cardId'>): boolean =>
  state === 'created' && cardId === undefined;

/** Whether a request in doubt is still searched for; its author is asked only if that finds nothing. */
export const isBeingChecked = ({
  state,
  revision,
  announcedRevision,
}: Pick<DesignRequest, 'state' | 'revision' | 'announcedRevision'>): boolean =>
  state === 'in_doubt' && announcedRevision < revision;
