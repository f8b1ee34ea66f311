import type { RichTextElement } from '@slack/types';
import { unescapeEntities } from '../text/escape.ts';
import { slackDateText } from '../text/slack-date.ts';
import {
  channelElement,
  linkElement,
  textElement,
  userElement,
  usergroupElement,
} from './safe-elements.ts';

/** The inside of `<…>`, which is markup because Slack escapes these characters in text. */
export function markupElement(inside: string): RichTextElement | undefined {
  const bar = inside.indexOf('|');
  const target = bar === -1 ? inside : inside.slice(0, bar);
  const label = bar === -1 ? undefined : unescapeEntities(inside.slice(bar + 1));
  const id = target.slice(1);
  switch (target[0]) {
    case '@':
      return userElement(id, label);
    case '#':
      return channelElement(id, label);
    case '!':
      return special(id, label);
    default:
      return linkElement(unescapeEntities(target), label);
  }
}

const SECONDS = /^\d{1,13}$/;
/** Ours, in UTF-16 units: each date in it takes time. */
const FORMAT_MAX = 200;

/** `<!here>`, `<!subteam^S1|@team>`, `<!date^1764058860^{date_short}^https://example.com|fallback>`. */
function special(name: string, label: string | undefined): RichTextElement | undefined {
  const [kind = '', id = '', format = '', url] = name.split('^');
  if (kind === 'subteam') return usergroupElement(id, label);
  // As text: nobody should be notified by a form.
  if (kind !== 'date') return textElement(`@${label ?? kind}`);
  const isDate = SECONDS.test(id) && format.length <= FORMAT_MAX;
  const shown = (isDate && slackDateText(Number(id), unescapeEntities(format))) || label;
  return url === undefined ? textElement(shown ?? '') : linkElement(unescapeEntities(url), shown);
}
