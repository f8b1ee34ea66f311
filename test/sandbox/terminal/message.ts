import { asText, type JsonObject } from '../../stand-ins/slack/json.ts';
import type { Message } from '../../stand-ins/slack/state/model.ts';
import { blocksAsLines } from './blocks.ts';
import { columnsOf, wrap } from './columns.ts';
import { type Look, narrower } from './look.ts';
import { mrkdwnAsText } from './mrkdwn.ts';

const FRAME = '│ ';
const BAR = '▌ ';
/** Slack's default, if an attachment has no color. */
const DEFAULT_BAR = '#dddddd';

/** A message in its conversation, with its attachments. */
export function messageAsLines(message: Message, look: Look): string[] {
  const { blocks, text, attachments, userId, channelId } = message;
  const inside = narrower(look, columnsOf(FRAME));
  const body =
    blocks.length > 0
      ? blocksAsLines(blocks, inside)
      : wrap(mrkdwnAsText(text, inside), inside.columns);
  const head = `${look.paint.bold(look.nameOf(userId))} in ${look.nameOf(channelId)}`;
  const attached = attachments.flatMap((attachment) => attachmentAsLines(attachment, inside));
  return [head, ...[...body, ...attached].map((line) => FRAME + line)];
}

/** An attachment, such as an unfurl, with its bar; without colors the bar's color is written out. */
function attachmentAsLines(attachment: JsonObject, look: Look): string[] {
  const { paint } = look;
  const color = asText(attachment.color) || DEFAULT_BAR;
  const bar = paint.color(color, BAR);
  const lines = blocksAsLines(attachment.blocks, narrower(look, columnsOf(BAR)));
  const said = paint.hasColors ? [] : [`(the bar is ${color})`];
  return [...lines, ...said].map((line) => bar + line);
}
