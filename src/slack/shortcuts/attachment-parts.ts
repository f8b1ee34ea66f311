import { unescapeEntities } from '../text/escape.ts';
import { slackDateText } from '../text/slack-date.ts';
import { FROM_MESSAGE } from '../words/shortcuts.ts';
import { blockParts, controlParts } from './block-parts.ts';
import {
  DEPTH_MAX,
  isPosted,
  type LeftOut,
  linkElement,
  listOf,
  type Parts,
  type Posted,
  paragraph,
  passedOn,
  stringOf,
  textElement,
  textOf,
} from './elements.ts';
import { formattedElements, formattedParts } from './formatted-text.ts';

/**
 * An attachment of a message: of an app, below a link, or a forwarded message.
 *
 * @param isLinked whether an address was copied already
 */
export function* attachmentParts(
  posted: unknown,
  left: Set<LeftOut>,
  isLinked: (url: string) => boolean,
  depth = 0,
): Parts {
  if (!isPosted(posted) || depth > DEPTH_MAX) return void left.add('parts');
  const own = new Set<LeftOut>();
  const hasParts = yield* passedOn(contentOf(posted, own, { isLinked, depth }));
  const fallback = hasParts ? '' : stringOf(posted.fallback);
  yield* formattedParts(fallback, 'mrkdwn');
  const isTold = hasParts || fallback !== '' || own.size > 0 || listOf(posted.files).length > 0;
  if (!isTold) own.add('parts');
  for (const one of own) left.add(one);
}

function* contentOf(
  posted: Posted,
  left: Set<LeftOut>,
  { isLinked, depth }: { isLinked: (url: string) => boolean; depth: number },
): Parts {
  yield* formattedParts(stringOf(posted.pretext), 'mrkdwn');
  yield* namedParts(posted.service_name, posted.service_url);
  yield* namedParts(posted.author_name, posted.author_link);
  yield* namedParts(posted.author_subname, undefined);
  yield* namedParts(posted.title, posted.title_link);
  yield* bodyParts(posted, left);
  yield* fieldParts(posted);
  for (const action of listOf(posted.actions)) yield* controlParts(action, left, depth);
  yield* addressParts(
    [posted.image_url, posted.thumb_url, posted.video_url],
    FROM_MESSAGE.picture,
    isLinked,
  );
  yield* footerParts(posted);
  const messages = listOf(posted.message_blocks).filter(isPosted);
  const forwarded = messages.map(({ message }) => message).filter(isPosted);
  for (const { attachments } of [posted, ...forwarded]) {
    for (const one of listOf(attachments)) yield* attachmentParts(one, left, isLinked, depth + 1);
  }
  const isMessage = posted.is_share === true || posted.is_msg_unfurl === true;
  const label = isMessage ? FROM_MESSAGE.original : undefined;
  yield* addressParts([posted.from_url || posted.original_url], label, isLinked);
}

/** Links to addresses that aren't linked to yet. */
function* addressParts(
  addresses: readonly unknown[],
  label: string | undefined,
  isLinked: (url: string) => boolean,
): Parts {
  for (const url of addresses.map(stringOf)) {
    if (url && !isLinked(url)) yield* paragraph([linkElement(url, label)]);
  }
}

function* fieldParts({ fields }: Posted): Parts {
  for (const field of listOf(fields).filter(isPosted)) {
    const title = formattedElements(textOf(field.title), 'plain_text');
    const colon = title.length > 0 ? textElement(': ') : undefined;
    yield* paragraph([...title, colon, ...formattedElements(textOf(field.value), 'mrkdwn')]);
  }
}

/** A name, with its link. */
function* namedParts(name: unknown, link: unknown): Parts {
  const [shown, url] = [textOf(name), stringOf(link)];
  if (url) yield* paragraph([linkElement(url, unescapeEntities(shown))]);
  else yield* paragraph(formattedElements(shown, 'plain_text', { bold: true }));
}

/** What an attachment says, or each of the messages that are forwarded in it. */
function* bodyParts({ blocks, message_blocks, text }: Posted, left: Set<LeftOut>): Parts {
  const messages = listOf(message_blocks).filter(isPosted);
  yield* shownParts({ blocks, text: messages.length === 0 ? text : '' }, left);
  for (const { message, ...rest } of messages) {
    const shown: Posted = isPosted(message) ? message : rest;
    yield* shownParts({ blocks: shown.blocks, text: textOf(shown) || text }, left);
  }
}

/** Blocks, or the text if nothing can be read of some. */
function* shownParts({ blocks, text }: Posted, left: Set<LeftOut>): Parts {
  const own = new Set<LeftOut>();
  const hasParts = yield* passedOn(blockParts(listOf(blocks), own));
  if (!hasParts || own.has('parts')) yield* formattedParts(textOf(text), 'mrkdwn');
  for (const one of own) left.add(one);
}

/** “From the tracker · Nov 14, 2023” */
function* footerParts({ footer, ts }: Posted): Parts {
  const shown = formattedElements(textOf(footer), 'mrkdwn');
  const seconds = Number(typeof ts === 'number' ? ts : stringOf(ts));
  const date = seconds > 0 ? textElement(slackDateText(seconds, '{date_short}')) : undefined;
  const between = shown.length > 0 && date ? textElement(' · ') : undefined;
  yield* paragraph([...shown, between, date]);
}
