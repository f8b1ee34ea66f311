import { z } from 'zod';
import type { WorkspaceId } from '../installations/workspace-id.ts';

const named = z.object({ id: z.string(), name: z.string() });
const files = z.array(named).optional();

/** As the form's editor gives it; only the code of the form reads it. */
const formattedText = z.object({
  type: z.literal('rich_text'),
  elements: z.array(z.custom<object>((element) => element instanceof Object)).readonly(),
});
export type FormattedText = z.infer<typeof formattedText>;

/** The form as a person filled it in: enough to send it, and to show it again. */
export const requestForm = z.object({
  title: z.string(),
  requestType: named,
  product: z.string(),
  description: formattedText,
  brand: named.optional(),
  dimensions: z.string(),
  software: z.string(),
  formats: z.array(z.string()),
  /** A day, as `YYYY-MM-DD`. */
  neededBy: z.string().optional(),
  /** Links, one per line. */
  references: z.string().optional(),
  textCopy: formattedText.optional(),
  referenceFiles: files,
  referenceFilesNote: z.string().optional(),
  additionalFiles: files,
  additionalFilesNote: z.string().optional(),
  textCopyFiles: files,
  isDraft: z.boolean(),
  /** The conversation to post the confirmation in; a direct message to the author if undefined. */
  shareIn: z.string().optional(),
});
export type RequestForm = z.infer<typeof requestForm>;

/** A file in Slack; the name is as it was when it was attached. */
export type AttachedFile = z.infer<typeof named>;

/** What a file is for, named as in the form. */
export const FILE_ROLES = ['referenceFiles', 'additionalFiles', 'textCopyFiles'] as const;
export type FileRole = (typeof FILE_ROLES)[number];

export const filesOf = (form: RequestForm): AttachedFile[] =>
  FILE_ROLES.flatMap((role) => form[role] ?? []);

/** A form that is being filled in; any value may be missing. */
export type FormDraft = { [Name in keyof RequestForm]?: RequestForm[Name] | undefined };

/**
 * - `queued`: will be sent when the service allows.
 * - `sending`: may have been sent. A process that finds this state after a crash can't know.
 * - `created`: final.
 * - `rejected`, `discarded`: nothing happens to it automatically, but its form can be sent again.
 * - `waiting_for_key`: will be sent when an API key is connected.
 * - `in_doubt`: may or may not have become a card; its author decides what happens.
 */
export const requestState = z.enum([
  'queued',
  'sending',
  'created',
  'rejected',
  'waiting_for_key',
  'in_doubt',
  'discarded',
]);
export type RequestState = z.infer<typeof requestState>;

/** Why a request isn't a card yet. */
export const requestProblem = z.object({
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
  /** A message for each refused field: the service's, by its name there, or ours, by its label. */
  details: z.record(z.string(), z.string()).optional(),
  /** The service's message for the whole request. */
  message: z.string().optional(),
  /** When it is sent again automatically, in ms since 1970. */
  retryAt: z.number().optional(),
  /** The key that was refused; the request waits for another one. */
  keyFingerprint: z.string().optional(),
  /** Identifies the error in the log (`E-…`). */
  reference: z.string().optional(),
  /** Only with `outcome_unknown`: what went wrong while it was sent, if that is known. */
  doubt: z.enum(['no_answer', 'service_error', 'unclear_answer']).optional(),
  /** Only while its author is asked: how long it was searched for in vain, in minutes. */
  searchedMinutes: z.number().optional(),
  /** Only with `author_denied`: why they may not make requests any more. */
  denied: z.enum(['guest', 'outsider', 'deactivated']).optional(),
});
export type RequestProblem = z.infer<typeof requestProblem>;
export type AuthorDenied = NonNullable<RequestProblem['denied']>;

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
  revision: number;
  attempts: number;
  cardId?: string | undefined;
  /** The modal in which it was submitted. */
  viewId?: string | undefined;
  sentBy?: string | undefined;
  /** The message about it that is kept up to date. `cardReadAt` is when what it said of the card was read, in ms since 1970. */
  message?: { channel: string; ts: string; cardReadAt?: number | undefined } | undefined;
  /** The last revision that was announced; 0 if none. */
  announcedRevision: number;
  createdAt: Date;
  updatedAt: Date;
};

/** Whether it became a card that the service's answer didn't name. */
export const isUnnamed = ({ state, cardId }: Pick<DesignRequest, 'state' | 'cardId'>): boolean =>
  state === 'created' && cardId === undefined;

/** Whether a request in doubt is still searched for. Its author is asked if that finds nothing. */
export const isBeingChecked = ({
  state,
  revision,
  announcedRevision,
}: Pick<DesignRequest, 'state' | 'revision' | 'announcedRevision'>): boolean =>
  state === 'in_doubt' && announcedRevision < revision;
