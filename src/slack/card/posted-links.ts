import { LRUCache } from 'lru-cache';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignApiError } from '../../service/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { type LinksRead, type LinksToRead, readCards } from './read-linked-cards.ts';
import { sendUnfurls } from './send-unfurls.ts';
import type { ShownLink } from './unfurl-content.ts';

export type PostedLinksDeps = Pick<
  SlackDeps,
  'cards' | 'catalogue' | 'unfurlLimiter' | 'now' | 'log'
>;

type Posted = LinksToRead & { postedAt: Date };

/** A link that has no card by then is shown without, and completed later. */
const BARE_AFTER_MS = 60_000;
/** A posted link whose card can't be read for now is tried again for this long. */
const TRIED_FOR_MS = 60 * 60_000;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const REMEMBERED_MESSAGES = 10_000;

/**
 * Makes what shows the cards under the links of a posted message.
 *
 * What may pass is waited for, so that a message is unfurled once and whole. After a minute it shows
 * what is known, or that the details follow, and is completed later: a repeated unfurl replaces the
 * earlier one. It throws RetryLaterError as long as there is something to be tried again.
 */
export function createPostedLinks(deps: PostedLinksDeps) {
  /** Messages that show less than they will; one that is forgotten by a restart shows it once more. */
  const incomplete = new LRUCache<string, true>({ max: REMEMBERED_MESSAGES });

  return async function showPosted(
    client: SlackClient,
    { channel, message_ts: ts }: { channel: string; message_ts: string },
    posted: Posted,
  ): Promise<void> {
    const { workspaceId, postedAt } = posted;
    const message = `${workspaceId}/${channel}/${ts}`;
    const show = (links: readonly ShownLink[]) =>
      sendUnfurls(deps, client, { workspaceId, target: { channel, ts }, links });

    const read = await readCards(deps, posted);
    const { shown, trouble } = read;
    const isIncomplete = incomplete.has(message);
    if (!trouble) {
      await show(isIncomplete ? [...shown, ...goneOf(read, posted)] : shown);
      incomplete.delete(message);
      return;
    }
    const now = deps.now();
    const waitedMs = now.getTime() - postedAt.getTime();
    if (!(waitedMs < TRIED_FOR_MS)) {
      deps.log.info({ code: trouble.code }, 'a card could not be read for long and is given up');
      await show(shown.map(givenUp));
      return;
    }
    if (!isIncomplete && isTimeToShow(read, waitedMs) && deps.unfurlLimiter.isFree(workspaceId)) {
      // What Slack refuses to show isn't completed later either.
      if (!(await show(shown))) return;
      incomplete.set(message, true);
    }
    const isShown = incomplete.has(message);
    const retryAt = nextTry(trouble, { now, waitedMs, isShown });
    deps.log.info(
      { code: trouble.code, retryAt },
      'a card can’t be read for now, its link is tried again',
    );
    throw new RetryLaterError(retryAt, { cause: trouble });
  };
}

/** What was shown before its details came, and then never will have any. */
const goneOf = ({ refused }: LinksRead, { detail }: Posted): ShownLink[] =>
  refused.map((link) => ({ ...link, detail, missing: 'notFound' }));

const givenUp = (link: ShownLink): ShownLink =>
  'missing' in link ? { ...link, missing: 'failed' } : link;

/** Budget comes soon; trouble may last, and older cards are better than none. */
function isTimeToShow({ shown, trouble }: LinksRead, waitedMs: number): boolean {
  if (trouble?.code === 'unauthorized') return false;
  if (waitedMs >= BARE_AFTER_MS) return true;
  return trouble?.code !== 'rate_limited' && shown.every((link) => 'card' in link);
}

function nextTry(
  { retryAt }: DesignApiError,
  { now, waitedMs, isShown }: { now: Date; waitedMs: number; isShown: boolean },
): Date {
  const again = retryAt?.getTime() ?? now.getTime() + pauseMs(waitedMs);
  const untilShownMs = BARE_AFTER_MS - waitedMs;
  if (isShown || untilShownMs <= 0) return new Date(again);
  return new Date(Math.min(again, now.getTime() + untilShownMs));
}

/** About as long as was waited already, so that pauses double; by chance shorter, so that retries spread. */
function pauseMs(waitedMs: number): number {
  const longest = Math.min(Math.max(waitedMs, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
  return longest / 2 + Math.random() * (longest / 2);
}
