import { RespondError } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import type { ChatPostMessageArguments } from '@slack/web-api';
import { outcomeOfCall, slackErrorCode } from './errors.ts';
import type { SlackClient } from './slack-client.ts';

/** What to try to send, the richest first: Slack may refuse a Work Object, or fail to fetch a picture. */
export type Ways<Content> = {
  workObject?: { contents: (() => Content)[]; refused(code: string): Promise<void> } | undefined;
  blocks: (() => Content)[];
};

/** With pictures if there are any, and then without. */
export const withPicturesOrNot = <Content>(
  hasPictures: boolean,
  build: (withPictures: boolean) => Content,
): (() => Content)[] =>
  (hasPictures ? [true, false] : [true]).map((withPictures) => () => build(withPictures));

/**
 * Slack's codes for metadata that it doesn't accept, on any of the methods that take it. `invalid_arguments` points into
 * `/metadata`; a real app got it from `entity.presentDetails`.
 */
const METADATA_CODES = new Set([
  'error_processing_metadata',
  'invalid_metadata',
  'invalid_metadata_format',
  'invalid_metadata_schema',
  'metadata_too_large',
  'metadata_must_be_sent_from_app',
  'feature_not_enabled',
  'invalid_arguments',
]);

const BLOCKS_CODES = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  // For views.
  'invalid_arguments',
]);
/** The status with which a `response_url` rejects content. */
const BAD_REQUEST = 400;

const refusesBlocks = (error: unknown): boolean =>
  error instanceof RespondError
    ? error.statusCode === BAD_REQUEST
    : BLOCKS_CODES.has(slackErrorCode(error) ?? '');

/**
 * Makes a call with the richest content that Slack accepts. That a Work Object was the reason is known if Slack left it
 * out with a warning, or if the call works without it.
 * @throws what the last call throws, and any error of the first ones that isn't a refusal
 */
export async function sendRichest<Content>(
  { workObject, blocks }: Ways<Content>,
  call: (content: Content) => Promise<unknown>,
): Promise<void> {
  if (!workObject) return sendBlocks(blocks, call);
  let refusal: Refusal | undefined;
  for (const content of workObject.contents) {
    refusal = await refusalOf(call(content()));
    if (!refusal) return;
    if (!METADATA_CODES.has(refusal.code)) break;
  }
  if (refusal?.isWarning) await workObject.refused(refusal.code);
  await sendBlocks(blocks, call);
  if (refusal && !refusal.isWarning) await workObject.refused(refusal.code);
}

async function sendBlocks<Content>(
  [content, ...others]: Ways<Content>['blocks'],
  call: (content: Content) => Promise<unknown>,
): Promise<void> {
  try {
    if (content) await call(content());
  } catch (error) {
    if (others.length === 0 || !refusesBlocks(error)) throw error;
    await sendBlocks(others, call);
  }
}

type Refusal = { code: string; isWarning: boolean };

/** Slack's code if it refuses a call, or accepts it without the Work Object and warns of that. */
async function refusalOf(call: Promise<unknown>): Promise<Refusal | undefined> {
  try {
    const { warning: code = '' } = ((await call) ?? {}) as { warning?: string };
    return METADATA_CODES.has(code) ? { code, isWarning: true } : undefined;
  } catch (error) {
    // Any code may be because of the Work Object.
    const code = outcomeOfCall(error) === 'refused' ? slackErrorCode(error) : undefined;
    if (code === undefined) throw error;
    return { code, isWarning: false };
  }
}

export type Message = {
  text: string;
  blocks?: KnownBlock[] | undefined;
  /** Undefined if it has no pictures. */
  withoutPictures?: (() => KnownBlock[]) | undefined;
  /** How it shows a card as a Work Object instead of as blocks; without `blocks`, those that it has stay. */
  workObject?: WorkObject | undefined;
};

type WorkObject = {
  contents: (() => { blocks?: KnownBlock[]; metadata: object })[];
  refused(code: string): Promise<void>;
  /** Called if Slack posted the message without it, and then didn't let it be changed. */
  leftOut(error: unknown): void;
};

type Content = { text: string; blocks?: KnownBlock[] | undefined; metadata?: object };

export const waysOf = ({ text, blocks, withoutPictures, workObject }: Message): Ways<Content> => ({
  workObject: workObject && {
    ...workObject,
    contents: workObject.contents.map((content) => () => ({ text, ...content() })),
  },
  blocks: [
    () => ({ text, blocks }),
    ...(withoutPictures ? [() => ({ text, blocks: withoutPictures() })] : []),
  ],
});

/** Not `client.chat.update`, whose types don't know about entities. Empty metadata removes a Work Object. */
const update = (client: SlackClient, at: PostedMessage, content: Content) =>
  client.apiCall('chat.update', { ...at, metadata: {}, ...content });

export const updateMessage = (
  client: SlackClient,
  { channel, ts }: PostedMessage,
  message: Message,
): Promise<void> =>
  sendRichest(waysOf(message), (content) => update(client, { channel, ts }, content));

export type PostedMessage = { channel: string; ts: string };

/** A message may have been posted. Slack can't deduplicate, so a retry may post it twice. */
export class MaybePostedError extends Error {
  constructor(cause: unknown) {
    super('A message may or may not have been posted.', { cause });
    this.name = 'MaybePostedError';
  }
}

/**
 * Posts a message without unfurls, in a conversation, or to a user's ID.
 * @throws MaybePostedError, or Slack's error if the message was certainly not posted
 */
export async function postMessage(
  client: SlackClient,
  channel: string,
  message: Message,
  threadTs?: string,
): Promise<PostedMessage | undefined> {
  const call = { channel, thread_ts: threadTs, unfurl_links: false, unfurl_media: false };
  let posted: PostedMessage | undefined;
  try {
    await sendRichest(waysOf(message), async (content) => {
      // Slack has posted it without its Work Object.
      if (posted) return update(client, posted, content);
      const message = { ...call, ...content } as ChatPostMessageArguments;
      const answer = await client.chat.postMessage(message);
      const { channel: id = '', ts = '' } = answer;
      posted = { channel: id, ts };
      return answer;
    });
  } catch (error) {
    // Once it is posted, it must not be posted again.
    if (posted) message.workObject?.leftOut(error);
    else throw outcomeOfCall(error) === 'unknown' ? new MaybePostedError(error) : error;
  }
  return posted?.ts && posted.channel ? posted : undefined;
}
