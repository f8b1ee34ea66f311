import type { RichTextElement, RichTextSection, RichTextText } from '@slack/types';
import { z } from 'zod';
import { wellFormed } from '../text/limits.ts';
import { linkTarget } from '../text/link-target.ts';
import { elementText } from '../text/rich-text-elements.ts';

// Elements of rich text that Slack accepts in a form's field, made from what any app or person posted.

type Style = NonNullable<RichTextText['style']>;

const USER = /^[UW][A-Z0-9]{1,30}$/;
const CHANNEL = /^[CG][A-Z0-9]{1,30}$/;
const USERGROUP = /^S[A-Z0-9]{1,30}$/;
const EMOJI = /^[\p{L}\p{M}\p{N}_+'-]{1,100}$/u;

/** Undefined for empty text, which Slack refuses. */
export function textElement(text: string, style?: Style): RichTextText | undefined {
  const shown = wellFormed(text);
  if (shown === '') return undefined;
  return { type: 'text', text: shown, ...(style ? { style } : {}) };
}

/** A link, or its text if it isn't one that people may be led to. */
export function linkElement(
  url: string,
  text: string | undefined,
  style?: Style,
): RichTextElement | undefined {
  const target = linkTarget(url);
  const label = text === undefined ? '' : wellFormed(text);
  if (target === undefined) return textElement(label || url, style);
  return {
    type: 'link',
    url: target,
    ...(label ? { text: label } : {}),
    ...(style ? { style } : {}),
  };
}

export const userElement = (id: string): RichTextElement | undefined =>
  USER.test(id) ? { type: 'user', user_id: id } : textElement(`@${id}`);

export const channelElement = (id: string): RichTextElement | undefined =>
  CHANNEL.test(id) ? { type: 'channel', channel_id: id } : textElement(`#${id}`);

export const usergroupElement = (id: string): RichTextElement | undefined =>
  USERGROUP.test(id) ? { type: 'usergroup', usergroup_id: id } : textElement(`@${id}`);

const flag = z.literal(true).optional().catch(undefined);
const style = z
  .object({ bold: flag, italic: flag, strike: flag, code: flag })
  .transform((given) => {
    const on = Object.entries(given).filter(([, value]) => value);
    return on.length > 0 ? (Object.fromEntries(on) as Style) : undefined;
  })
  .optional()
  .catch(undefined);
const optional = z.string().optional().catch(undefined);

const element = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), style }),
  z.object({ type: z.literal('link'), url: z.string(), text: optional, style }),
  z.object({ type: z.literal('user'), user_id: z.string() }),
  z.object({ type: z.literal('channel'), channel_id: z.string() }),
  z.object({ type: z.literal('usergroup'), usergroup_id: z.string() }),
  z.object({ type: z.literal('emoji'), name: z.string() }),
  // As text: nobody should be notified by a form, and a field has no such elements.
  z.object({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']) }),
  z.object({ type: z.literal('color'), value: z.string() }),
  z.object({
    type: z.literal('date'),
    timestamp: z.number(),
    format: z.string(),
    fallback: optional,
  }),
]);

const NO_NAMES = { user: () => undefined, channel: () => undefined, usergroup: () => undefined };

/** An element of a posted rich text; undefined if there is nothing to show. */
function safeElement(posted: unknown): RichTextElement | undefined {
  const { data } = element.safeParse(posted);
  switch (data?.type) {
    case 'text':
      return textElement(data.text, data.style);
    case 'link':
      return linkElement(data.url, data.text, data.style);
    case 'user':
      return userElement(data.user_id);
    case 'channel':
      return channelElement(data.channel_id);
    case 'usergroup':
      return usergroupElement(data.usergroup_id);
    case 'emoji':
      return EMOJI.test(data.name)
        ? { type: 'emoji', name: data.name }
        : textElement(`:${data.name}:`);
    case 'broadcast':
    case 'color':
    case 'date':
      return textElement(elementText(data as RichTextElement, NO_NAMES));
    case undefined:
      return undefined;
  }
}

export const sectionOf = (elements: readonly (RichTextElement | undefined)[]): RichTextSection => ({
  type: 'rich_text_section',
  elements: elements.filter((one) => one !== undefined),
});

/** The elements of a posted section, quote, or code block. */
export const safeElements = (posted: readonly unknown[]): RichTextElement[] =>
  posted.flatMap((one) => safeElement(one) ?? []);
