import { RespondError, type RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import type { SlackClient } from '../client/slack-client.ts';
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

type Recipient = {
  client: SlackClient;
  userId: string;
  channelId: string | undefined;
  threadTs?: string | undefined;
  respond: RespondFn | undefined;
};

/**
 * Answers one person, visible only to them, by the first way that works: a reply, an ephemeral message in the channel, a
 * direct message. A `response_url` works five times within 30 minutes
 * (docs.slack.dev/interactivity/handling-user-interaction), and perhaps not in threads (slackapi/bolt-js#963).
 */
export async function answer(
  { client, userId: user, channelId: channel, threadTs, respond }: Recipient,
  text: string,
  blocks?: KnownBlock[],
): Promise<void> {
  const content = { text, ...(blocks ? { blocks: fitBlocks(blocks) } : {}) };
  const inThread = { ...content, ...(threadTs ? { thread_ts: threadTs } : {}) };
  const reply =
    respond &&
    (() => respond({ response_type: 'ephemeral', replace_original: false, ...inThread }));
  const ephemeral = channel && (() => client.chat.postEphemeral({ channel, user, ...inThread }));
  const ways = (threadTs ? [ephemeral, reply] : [reply, ephemeral]).filter(
    (way) => typeof way === 'function',
  );
  for (const way of ways) {
    try {
      await way();
      return;
    } catch (error) {
      // Content that was rejected once is rejected everywhere.
      if (error instanceof RespondError && error.statusCode === BAD_REQUEST) throw error;
    }
  }
  await client.chat.postMessage({ channel: user, ...content });
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
