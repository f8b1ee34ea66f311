import { MESSAGE_BLOCKS_JSON_CHARS } from '../block-kit/blocks.ts';
import { validateBlocks } from '../block-kit/validate.ts';
import { asText, isObject, type JsonObject } from '../json.ts';
import { refuse, refuseProblems } from '../refusal.ts';
import type { SlackState } from '../state/state.ts';
import { withIds } from '../views/elements.ts';
import { jsonArgument } from './method.ts';

/** Longest text of a message. Source: Slack's documentation of chat.postMessage. */
const MAX_TEXT = 40_000;

export type MessageContent = ReturnType<typeof readContent>;

/** Checks and reads `text` and `blocks` of a message, if the call names them. The app posts no attachments. */
export function readContent(state: SlackState, args: JsonObject) {
  const blocks = jsonArgument(args, 'blocks', 'invalid_blocks_format');
  const text = args.text === undefined ? undefined : asText(args.text);
  if (blocks !== undefined) refuseProblems('invalid_blocks', validateBlocks(blocks, 'message'));
  if (args.attachments !== undefined) refuse('invalid_attachments');
  if ((text ?? '').length > MAX_TEXT) refuse('msg_too_long');
  refuseLongBlocks([blocks]);
  refuseBrokenImages(state, blocks, '');
  return { text, blocks: blocks === undefined ? undefined : withIds(blocks, state.ids) };
}

export function refuseLongBlocks(lists: unknown[]): void {
  const lengths = lists.map((blocks) => (blocks === undefined ? 0 : JSON.stringify(blocks).length));
  const length = lengths.reduce((sum, one) => sum + one, 0);
  if (length > MESSAGE_BLOCKS_JSON_CHARS) refuse('msg_blocks_too_long');
}

export function requireContent({ text, blocks }: MessageContent): void {
  if (!text && !blocks?.length) refuse('no_text');
}

/** In the list of broken pictures, this means all pictures. */
const EVERY_IMAGE = '*';

/** The JSON pointers, below the given one, of the pictures in a value that Slack can't fetch. */
export function imagePointers(value: unknown, pointer: string, broken: Set<string>): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => imagePointers(item, `${pointer}/${index}`, broken));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'image_url' &&
    typeof inner === 'string' &&
    (broken.has(inner) || broken.has(EVERY_IMAGE))
      ? [`${pointer}/${key}`]
      : imagePointers(inner, `${pointer}/${key}`, broken),
  );
}

/** Refuses pictures marked as ones that Slack can't fetch, in its words (slackapi/python-slack-sdk#1782). */
export function refuseBrokenImages(
  state: SlackState,
  blocks: unknown,
  under: string,
  code = 'invalid_blocks',
): void {
  const pointers = imagePointers(blocks, `${under}/blocks`, state.brokenImages);
  refuseProblems(
    code,
    pointers.map((pointer) => ({ message: 'downloading image failed', pointer })),
  );
}
