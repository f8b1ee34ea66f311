import type { BlockElementAction } from '@slack/bolt';
import type {
  Button,
  ContextBlock,
  InputBlock,
  KnownBlock,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  SectionBlock,
} from '@slack/types';
import { clipMrkdwn } from './escape.ts';
import {
  clip,
  MESSAGE_BLOCKS_MAX,
  OPTION_VALUE_MAX,
  SECTION_TEXT_MAX,
  wellFormed,
} from './limits.ts';

/** Cut at Slack's limit; verbatim, so that Slack doesn't turn names and URLs in it into links. */
export const mrkdwn = (text: string): MrkdwnElement => ({
  type: 'mrkdwn',
  text: clipMrkdwn(text, SECTION_TEXT_MAX),
  verbatim: true,
});

export const section = (text: string): SectionBlock => ({ type: 'section', text: mrkdwn(text) });

export const context = (text: string): ContextBlock => ({
  type: 'context',
  elements: [mrkdwn(text)],
});

export const contextIfAny = (text: string): ContextBlock[] => (text === '' ? [] : [context(text)]);

/** Slack's limit (docs.slack.dev/reference/block-kit/block-elements/button-element). */
const ACCESSIBILITY_LABEL_MAX = 75;

/** What a screen reader says for a button: the title of its card or request (`about`) tells it apart from others. */
export function accessibilityLabel(button: string, about: string): string {
  const label = `${button}: ${wellFormed(about)}`.replaceAll(/\s+/g, ' ').trim();
  return clip(label, ACCESSIBILITY_LABEL_MAX);
}

export const plainText = (text: string): PlainTextElement => ({ type: 'plain_text', text });

export const inputBlock = (
  blockId: string,
  { label, hint }: { label: string; hint?: string },
  element: InputBlock['element'],
  more: Pick<InputBlock, 'optional'> = {},
): InputBlock => ({
  type: 'input',
  block_id: blockId,
  label: plainText(label),
  ...(hint ? { hint: plainText(hint) } : {}),
  element,
  ...more,
});

/** @param more.about the title of its card or request, for people who hear the button */
export function button(
  actionId: string,
  text: string,
  more: { about?: string } & Pick<Button, 'value' | 'url' | 'style'> = {},
): Button {
  const { about, ...rest } = more;
  const label = about === undefined ? {} : { accessibility_label: accessibilityLabel(text, about) };
  return { type: 'button', action_id: actionId, text: plainText(text), ...label, ...rest };
}

export const buttonRow = (buttons: Button[]): KnownBlock[] =>
  buttons.length > 0 ? [{ type: 'actions', elements: buttons }] : [];

/** The action ID of every “⋯” menu. */
export const MENU_ACTION = 'card-menu';

/** Choosing it is like pressing a button with this action ID and value. */
type MenuEntry = { actionId: string; label: string; value: string };

/** A “⋯” menu; entries whose value is too long for Slack are left out. */
export function menuOf(entries: readonly MenuEntry[]): Overflow[] {
  const options = entries
    .map(({ actionId, label, value }) => ({
      text: plainText(label),
      value: `${actionId}:${value}`,
    }))
    .filter(({ value }) => value.length <= OPTION_VALUE_MAX);
  return options.length > 0 ? [{ type: 'overflow', action_id: MENU_ACTION, options }] : [];
}

/** The button press that choosing an entry of a menu stands for; other actions are what they are. */
export function pressedAction(action: BlockElementAction): BlockElementAction {
  if (action.type !== 'overflow') return action;
  const { block_id, action_ts, selected_option: chosen } = action;
  // A delivery may lack the option, whatever Slack's types say. Then nothing handles it.
  const [actionId = '', ...value] = (chosen?.value ?? '').split(':');
  return {
    type: 'button',
    action_id: actionId,
    block_id,
    action_ts,
    text: chosen?.text,
    value: value.join(':'),
  };
}

/** The length that counts towards MESSAGE_BLOCKS_MAX. */
export const blocksLength = (blocks: readonly KnownBlock[]): number =>
  JSON.stringify(blocks).length;

/** Minimum length of a cut text, in characters. */
const MIN_CUT = 50;

/**
 * Fits blocks into one message, since Slack rejects longer ones: cuts the longest texts first, then
 * drops blocks from the end. `max` is how much of a message they may take, in characters of JSON.
 */
export function fitBlocks(blocks: readonly KnownBlock[], max = MESSAGE_BLOCKS_MAX): KnownBlock[] {
  let fitting = [...blocks];
  for (let most = SECTION_TEXT_MAX; most >= MIN_CUT; most /= 2) {
    if (blocksLength(fitting) <= max) return fitting;
    fitting = blocks.map((block) => shorten(block, Math.floor(most)));
  }
  while (fitting.length > 1 && blocksLength(fitting) > max) fitting = fitting.slice(0, -1);
  return fitting;
}

/** Reserved for a note that says how much isn't shown, in characters of JSON. */
export const NOTE_LENGTH = 300;

/** As many groups of blocks, in order, as fit into one message, and the number of groups that are left. */
export function fitGroups(groups: readonly (readonly KnownBlock[])[]) {
  const blocks: KnownBlock[] = [];
  for (const [index, group] of groups.entries()) {
    if (blocksLength([...blocks, ...group]) > MESSAGE_BLOCKS_MAX - NOTE_LENGTH) {
      return { blocks, left: groups.length - index };
    }
    blocks.push(...group);
  }
  return { blocks, left: 0 };
}

/** With each of its texts, and of the descriptions of its images, at most this long. */
function shorten(block: KnownBlock, most: number): KnownBlock {
  return JSON.parse(JSON.stringify(block), (name, value) => {
    if (name === 'alt_text') return clip(value, most);
    if (value?.type !== 'mrkdwn') return value;
    return { ...value, text: clipMrkdwn(value.text, most) };
  });
}

/**
 * A time that Slack writes in the reader's language and time zone, and keeps up to date
 * (docs.slack.dev/messaging/formatting-message-text#date-formatting).
 */
export function slackDate(date: Date, format: string, fallback?: string): string {
  const shown = fallback ?? date.toISOString().slice(0, 'YYYY-MM-DD'.length);
  return `<!date^${Math.floor(date.getTime() / 1_000)}^${format}|${shown}>`;
}

/** Such as "2026-11-25 08:21 UTC", since the reader is unknown; '' for an invalid date. `timestamp` is in seconds. */
export function utcMinute(timestamp: number): string {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return '';
  const minute = date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
  return `${minute.replace('T', ' ')} UTC`;
}

/** A time such as "5 minutes ago", which Slack keeps up to date. */
export const timeAgo = (readAt: Date): string =>
  slackDate(readAt, '{ago}', utcMinute(readAt.getTime() / 1_000));
