import { RespondError, type RespondFn } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { type EntryKey, onceKind } from '../../store/entries.ts';
import type { SlackClient } from '../client/slack-client.ts';
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

/**
 * Sends a message to one person by the first way that works: the preferred one, a reply, an ephemeral message in the
 * channel, a direct message. A `response_url` works five times within 30 minutes
 * (docs.slack.dev/interactivity/handling-user-interaction), and perhaps not in threads (slackapi/bolt-js#963).
 */
export async function sendPrivately(
  to: {
    client: SlackClient;
    respond?: RespondFn | undefined;
    channelId?: string | undefined;
    threadTs?: string | undefined;
    userId: string;
  },
  text: string,
  options: {
    blocks?: KnownBlock[] | undefined;
    preferred?: (() => Promise<unknown>) | undefined;
  } = {},
): Promise<void> {
  const { client, respond, channelId: channel, threadTs, userId: user } = to;
  const { blocks, preferred } = options;
  const content = { text, ...(blocks ? { blocks } : {}) };
  const inThread = { ...content, ...(threadTs ? { thread_ts: threadTs } : {}) };
  const reply =
    respond &&
    (() => respond({ response_type: 'ephemeral', replace_original: false, ...inThread }));
  const ephemeral = channel && (() => client.chat.postEphemeral({ channel, user, ...inThread }));
  const ways = [
    preferred,
    ...(threadTs ? [ephemeral, reply] : [reply, ephemeral]),
    () => client.chat.postMessage({ channel: user, ...content }),
  ].filter((way) => typeof way === 'function');
  for (const [index, way] of ways.entries()) {
    try {
      await way();
      return;
    } catch (error) {
      // Content that was rejected once is rejected everywhere.
      const isContent = error instanceof RespondError && error.statusCode === BAD_REQUEST;
      if (isContent || index === ways.length - 1) throw error;
    }
  }
}

/**
 * How long handled commands, button presses, and submissions are remembered, in ms. A signature may be five minutes
 * ahead and is valid for five minutes, so a delivery can be replayed for ten
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export const KEEP_INTERACTIONS_MS = 11 * 60_000;
const INTERACTION = onceKind('interaction', KEEP_INTERACTIONS_MS);

export const interactionNamed = (owner: WorkspaceId, name: string): EntryKey<true> => ({
  kind: INTERACTION,
  owner,
  name,
});

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
