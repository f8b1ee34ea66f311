import type { RichTextElement, RichTextText } from '@slack/types';
import { unescapeEntities } from '../text/input.ts';
import {
  channelElement,
  linkElement,
  textElement,
  userElement,
  usergroupElement,
} from './safe-elements.ts';

/** `<…>`, which is markup because Slack escapes these characters in text. */
const MARKUP = /<([^<>]*)>/;
/** Formatted text without other formatting in it, which is how apps nearly always use it. */
const FORMATTED = /(?<![\p{L}\p{N}])([*_~`])([^*_~`\n]+)\1(?![\p{L}\p{N}])/gu;

const STYLES: Record<string, NonNullable<RichTextText['style']>> = {
  '*': { bold: true },
  _: { italic: true },
  '~': { strike: true },
  '`': { code: true },
};

/** Text that Slack formats, as elements of rich text (docs.slack.dev/messaging/formatting-message-text). */
export function mrkdwnToElements(mrkdwn: string): RichTextElement[] {
  // Split at markup: texts at even indexes, the inside of markup at odd ones.
  return mrkdwn
    .split(MARKUP)
    .flatMap((piece, index) => (index % 2 === 0 ? formatted(piece) : (markup(piece) ?? [])));
}

function formatted(text: string): RichTextElement[] {
  const elements: (RichTextElement | undefined)[] = [];
  let end = 0;
  for (const { 0: whole, 1: mark = '', 2: inside = '', index } of text.matchAll(FORMATTED)) {
    elements.push(textElement(unescapeEntities(text.slice(end, index))));
    const isFormatting = inside.trim() === inside;
    elements.push(
      textElement(
        unescapeEntities(isFormatting ? inside : whole),
        isFormatting ? STYLES[mark] : undefined,
      ),
    );
    end = index + whole.length;
  }
  elements.push(textElement(unescapeEntities(text.slice(end))));
  return elements.filter((one) => one !== undefined);
}

function markup(inside: string): RichTextElement | undefined {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeEntities(inside.slice(bar + 1));
  const id = target.slice(1);
  switch (target[0]) {
    case '@':
      return userElement(id);
    case '#':
      return channelElement(id);
    case '!':
      return special(id, label);
    default:
      return linkElement(unescapeEntities(target), label);
  }
}

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^…|fallback>`. */
function special(name: string, label: string | undefined): RichTextElement | undefined {
  const [kind = '', first = ''] = name.split('^');
  if (kind === 'subteam') return usergroupElement(first);
  return textElement(kind === 'date' ? (label ?? '') : `@${label ?? kind}`);
}
