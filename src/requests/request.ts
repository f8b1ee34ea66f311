import type { RichTextBlock } from '@slack/types';
import type { WorkspaceId } from '../installations/workspace-id.ts';

/** What a person filled into the form, as it was typed: enough to deliver it and to draw it again. */
export type RequestForm = {
  title: string;
  requestType: { id: string; name: string };
  product: string;
  description: RichTextBlock;
  brand?: { id: string; name: string } | undefined;
  dimensions: string;
  software: string;
  formats: string[];
  textCopy?: RichTextBlock | undefined;
  isDraft: boolean;
  /** The conversation to share the confirmation in; the author's direct messages where there is none. */
  shareIn?: string | undefined;
};

/**
 * Where a request stands.
 *
 * - `queued` waits for its turn or for the service; `sending` is on its way, and a process that
 *   finds it so after a restart cannot know whether it arrived.
 * - `created`, `rejected`, `discarded` are settled, though a rejected one can be corrected.
 * - `waiting_for_key` goes out by itself once a key is connected.
 * - `in_doubt` may or may not be at the service; only its author decides what happens.
 */
const REQUEST_STATES = [
  'queued',
  'sending',
  'created',
  'rejected',
  'waiting_for_key',
  'in_doubt',
  'discarded',
] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Why someone may not make requests: they may have been allowed to when they made this one. */
export type AuthorDenied = 'guest' | 'outsider' | 'deactivated';

/** Why a request is not a card yet. */
export type RequestProblem = {
  code:
    | 'author_denied'
    | 'invalid_request'
    | 'no_key'
    | 'key_rejected'
    | 'key_unreadable'
    | 'forbidden'
    | 'busy'
    | 'unreachable'
    | 'outcome_unknown'
    | 'given_up'
    | 'unexpected';
  /** The service's words for each refused field, by the field's name there. */
  details?: Record<string, string> | undefined;
  /** The service's own sentence. */
  message?: string | undefined;
  /** When it is tried again by itself, in ms since 1970. */
  retryAt?: number | undefined;
  /** Which key was tried, where the request waits for another. */
  keyFingerprint?: string | undefined;
  /** Names the error in the log. */
  reference?: string | undefined;
  /** Given with `author_denied`. */
  denied?: AuthorDenied | undefined;
};

export type DesignRequest = {
  /** The form's own id: however often the same form is submitted, it is one request. */
  id: string;
  /** `DR-…` */
  reference: string;
  workspaceId: WorkspaceId;
  userId: string;
  form: RequestForm;
  state: RequestState;
  problem?: RequestProblem | undefined;
  /** Grows with every change. */
  revision: number;
  /** How often it was tried. */
  attempts: number;
  cardId?: string | undefined;
  /** The modal in which it was sent. */
  viewId?: string | undefined;
  /** The claim of the job that sends it, or sent it last. */
  sentBy?: string | undefined;
  /** Where its confirmation stands. */
  message?: { channel: string; ts: string } | undefined;
  /** The revision that its author was told of last; 0 where none. */
  announcedRevision: number;
  createdAt: Date;
  updatedAt: Date;
};
