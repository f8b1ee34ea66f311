import { MESSAGE_BLOCKS_JSON_CHARS } from '../block-kit/limits.ts';
import { validateAttachments, validateBlocks } from '../block-kit/validate.ts';
import { asText, type JsonObject, objectsOf } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { SlackState } from '../state/state.ts';
import { withIds } from '../views/elements.ts';
import { refuseBrokenImages } from './broken-images.ts';
import { jsonArgument } from './method.ts';
import { refuseProblems } from './problems.ts';

/** Longest text of a message. Source: Slack's documentation of chat.postMessage. */
const MAX_TEXT = 40_000;
const MAX_ATTACHMENTS = 100;
const MADE_UP_ID_BYTES = 3;

/** Each part is undefined if the call doesn't name it. */
export interface MessageContent {
  text: string | undefined;
  blocks: JsonObject[] | undefined;
  attachments: JsonObject[] | undefined;
}

/** Checks and reads `text`, `blocks`, and `attachments` of a message, if given. */
export function readContent(state: SlackState, args: JsonObject): MessageContent {
  const blocks = jsonArgument(args, 'blocks', 'invalid_blocks_format');
  const attachments = jsonArgument(args, 'attachments', 'invalid_attachments');
  const text = args.text === undefined ? undefined : asText(args.text);
  if (blocks !== undefined) refuseProblems('invalid_blocks', validateBlocks(blocks, 'message'));
  if (attachments !== undefined) {
    refuseProblems('invalid_attachments', validateAttachments(attachments));
  }
  if (objectsOf(attachments).length > MAX_ATTACHMENTS) refuse('too_many_attachments');
  if ((text ?? '').length > MAX_TEXT) refuse('msg_too_long');
  refuseLongBlocks([blocks, ...objectsOf(attachments).map((one) => one.blocks)]);
  refuseBrokenImages(state, blocks, '');
  const newId = () => state.ids.secret(MADE_UP_ID_BYTES);
  return {
    text,
    blocks: blocks === undefined ? undefined : withIds(blocks, newId),
    attachments: attachments === undefined ? undefined : numbered(objectsOf(attachments), newId),
  };
}

/** Refuses lists of blocks that are too long for one message (`msg_blocks_too_long`). */
export function refuseLongBlocks(lists: unknown[]): void {
  const lengths = lists.map((blocks) => (blocks === undefined ? 0 : JSON.stringify(blocks).length));
  const length = lengths.reduce((sum, one) => sum + one, 0);
  if (length > MESSAGE_BLOCKS_JSON_CHARS) refuse('msg_blocks_too_long');
}

/** Attachments with the IDs that Slack counts from 1, their blocks with generated IDs. */
function numbered(attachments: JsonObject[], newId: () => string): JsonObject[] {
  return attachments.map((attachment, index) => ({
    ...attachment,
    id: index + 1,
    ...(attachment.blocks === undefined ? {} : { blocks: withIds(attachment.blocks, newId) }),
  }));
}

/** Refuses a message without any text or blocks (`no_text`). */
export function requireContent({ text, blocks, attachments }: MessageContent): void {
  const empty = !text && !blocks?.length && !attachments?.length;
  if (empty) refuse('no_text');
}
