import { RespondError } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { showInChannel } from '../client/direct-messages.ts';
import { fitBlocks } from '../text/blocks.ts';
import { REPLY_TITLE, unexpected } from '../words/errors.ts';
import type { Submission } from './interactions.ts';
import { buildNotice } from './views.ts';

/**
 * Keeps a submitted modal open with what was typed, and says why at its first input. A modal without
 * inputs is replaced, since Slack shows an error only at an input of the view.
 */
export async function refuseSubmission({ view, ack }: Submission, text: string): Promise<void> {
  const blockId = view.blocks.find(({ type }) => type === 'input')?.block_id;
  await ack(
    blockId === undefined
      ? { response_action: 'update', view: buildNotice({ title: REPLY_TITLE, text }) }
      : { response_action: 'errors', errors: { [blockId]: text } },
  );
}

/** The status with which a `response_url` rejects content, such as invalid blocks. */
const BAD_REQUEST = 400;

/** Answers one person, visible only to them: in the channel, or else in a direct message. */
export async function answer(
  to: Parameters<typeof showInChannel>[0],
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const message = { text, ...(blocks ? { blocks: fitBlocks(blocks) } : {}) };
  // Content that was rejected once is rejected everywhere.
  const isFinal = (error: unknown) =>
    error instanceof RespondError && error.statusCode === BAD_REQUEST;
  if (await showInChannel(to, message, isFinal)) return;
  await to.client.chat.postMessage({ channel: to.userId, ...message });
}

/**
 * How long an acknowledgment, for which Slack waits 3 s, may wait for the data that it needs, in ms. The data is
 * usually in memory; after a restart or on another replica, it is loaded first. A form waits no longer, either.
 */
const WAIT_MS = 2_000;

/** Waits at most WAIT_MS. Work that is late goes on, but its result is ignored. */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result): Promise<Result> {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, WAIT_MS, ifLate);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Logs an unexpected error under a new reference (`E-…`). @returns the text to show, with the reference */
export function reportUnexpected(
  log: Log,
  error: unknown,
  what: string,
  {
    context = {},
    words = unexpected,
  }: {
    context?: Record<string, unknown>;
    words?: (reference: string) => string;
  } = {},
): string {
  const reference = newErrorReference();
  log.error({ err: error, ref: reference, ...context }, what);
  return words(reference);
}
