import { linkTarget } from '../text/link-target.ts';
import { elementText } from '../text/rich-text-elements.ts';
import type { RichTextPart } from '../text/rich-text-fit.ts';
import { attachmentParts } from './attachment-parts.ts';
import { blockParts } from './block-parts.ts';
import { formattedParts } from './formatted-text.ts';
import { inlineOf, type LeftOut } from './posted.ts';
import { NO_NAMES } from './safe-elements.ts';
import type { SharedMessage } from './shared-message.ts';

/**
 * What people see of a message, as parts of a rich text. Lazily, because apps can post far more than a form takes.
 * Texts keep their formatting and links; pictures become links. The message's text, which is for notifications if there
 * are blocks, stands in for blocks of which nothing can be read.
 *
 * @param left gets what couldn't be taken along
 */
export function* messageParts(
  { text, blocks, attachments }: SharedMessage,
  left: Set<LeftOut>,
): Generator<RichTextPart> {
  const seen: Seen = { text: '', links: new Set() };
  yield* noting(blockParts(blocks, left), seen);
  const isWhole = seen.text !== '' && !left.has('parts');
  const textParts = isWhole ? [] : [...formattedParts(text, 'mrkdwn')];
  if (!seen.text.includes(textParts.map(textOfPart).join(''))) yield* noting(textParts, seen);
  const isLinked = (url: string) => seen.links.has(linkTarget(url) ?? '');
  for (const one of attachments) yield* noting(attachmentParts(one, left, isLinked), seen);
}

/** What was copied so far. */
type Seen = { text: string; links: Set<string> };

function* noting(parts: Iterable<RichTextPart>, seen: Seen): Generator<RichTextPart> {
  for (const part of parts) {
    seen.text += textOfPart(part);
    for (const element of inlineOf(part)) if (element.type === 'link') seen.links.add(element.url);
    yield part;
  }
}

/** Without white space, which differs between a text and the blocks that it repeats. */
const textOfPart = (part: RichTextPart): string =>
  inlineOf(part)
    .map((element) => elementText(element, NO_NAMES))
    .join('')
    .replace(/\s/g, '');
