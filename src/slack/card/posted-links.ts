import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignApiError } from '../../service/errors.ts';
import type { SlackDeps } from '../deps.ts';
import { rememberPreviews } from '../watching/shown.ts';
import type { CardView } from './card-view.ts';
import { type LinksRead, type LinksToRead, readCards } from './read-linked-cards.ts';
import { sendUnfurls } from './send-unfurls.ts';

export type PostedLinksDeps = Pick<
  SlackDeps,
  | 'cards'
  | 'referenceLists'
  | 'requests'
  | 'watches'
  | 'people'
  | 'unfurlLimit'
  | 'incompleteMessages'
  | 'workObjects'
  | 'transact'
  | 'now'
  | 'log'
>;

type Posted = LinksToRead & { postedAt: Date; settings: WorkspaceSettings };

/** After this time, the cards of a message that could be read are shown without the others. */
const SHOW_INCOMPLETE_AFTER_MS = 60_000;
/** For how long cards of posted links are retried, in ms since they were posted. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** The same while they only wait for the request budget: nothing is wrong with them. */
const GIVE_UP_WAITING_AFTER_MS = 24 * GIVE_UP_AFTER_MS;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;

/** Messages of which not all cards are shown yet. After a restart, they may be shown so once more. */
export type IncompleteMessages = Pick<LRUCache<string, true>, 'has' | 'set' | 'delete'>;

export const createIncompleteMessages = (): IncompleteMessages =>
  new LRUCache<string, true>(atMost(MAX_REMEMBERED));

/**
 * Shows the cards under the links of a posted message: once all of them could be read, or those that could after a
 * minute, and the others later. Repeating an unfurl replaces it.
 *
 * @returns why it shows nothing at all
 * @throws RetryLaterError while there is something to retry
 */
export async function showPosted(
  deps: PostedLinksDeps,
  { channel, message_ts: ts }: { channel: string; message_ts: string },
  posted: Posted,
): Promise<'not-found' | 'not-read' | undefined> {
  const { incompleteMessages: incomplete } = deps;
  const { client, workspaceId, settings, postedAt, moreLinks } = posted;
  const message = `${workspaceId}/${channel}/${ts}`;
  const read = await readCards(deps, posted);
  const { trouble } = read;
  const links = withMoreLinks(read.shown, moreLinks);
  const show = async () => {
    const unfurling = { workspaceId, settings, target: { channel, ts }, links };
    const isShown = await sendUnfurls(deps, client, unfurling);
    if (isShown) await rememberPreviews(deps, { workspaceId, channel, ts }, links);
    return isShown;
  };

  const waitedMs = deps.now().getTime() - postedAt.getTime();
  // Not `>=`: it is NaN if the event has no time, and a time to try again couldn't be computed either.
  if (!trouble || !(waitedMs < giveUpAfterMs(trouble))) {
    await show();
    incomplete.delete(message);
    return whyNothing(deps, read);
  }
  let isShown = incomplete.has(message);
  if (!isShown && isTimeToShow(read, waitedMs) && !deps.unfurlLimit.isLimited(workspaceId)) {
    // If Slack refuses, don't complete it later either.
    if (!(await show())) return undefined;
    incomplete.set(message, true);
    isShown = true;
  }
  const retryAt = nextAttempt(trouble, { now: deps.now(), waitedMs, isShown });
  deps.log.info({ code: trouble.code, retryAt }, 'could not read a card for a link; retrying');
  throw new RetryLaterError(retryAt, { cause: trouble });
}

/** Says below the last preview how many more links there are. */
const withMoreLinks = (links: readonly CardView[], moreLinks: number | undefined): CardView[] =>
  links.map((link, index) =>
    moreLinks && index === links.length - 1 ? { ...link, moreLinks } : link,
  );

function whyNothing({ log }: PostedLinksDeps, { shown, isMissing, trouble }: LinksRead) {
  if (trouble) log.info({ code: trouble.code }, 'gave up on a card that could not be read');
  if (shown.length > 0) return undefined;
  return isMissing ? 'not-read' : 'not-found';
}

const giveUpAfterMs = ({ code }: DesignApiError) =>
  code === 'rate_limited' ? GIVE_UP_WAITING_AFTER_MS : GIVE_UP_AFTER_MS;

/**
 * While only the request budget is used up, wait: there is more within a minute. Other failures may
 * last, so show what is cached.
 */
function isTimeToShow({ shown, isMissing, trouble }: LinksRead, waitedMs: number): boolean {
  if (shown.length === 0 || trouble?.code === 'unauthorized') return false;
  return waitedMs >= SHOW_INCOMPLETE_AFTER_MS || (trouble?.code !== 'rate_limited' && !isMissing);
}

function nextAttempt(
  { retryAt }: DesignApiError,
  { now, waitedMs, isShown }: { now: Date; waitedMs: number; isShown: boolean },
): Date {
  const again = retryAt?.getTime() ?? now.getTime() + pauseMs(waitedMs);
  const untilShownMs = SHOW_INCOMPLETE_AFTER_MS - waitedMs;
  if (isShown || untilShownMs <= 0) return new Date(again);
  return new Date(Math.min(again, now.getTime() + untilShownMs));
}

/**
 * About as long as it has waited so far, so that pauses double; random, so that retries spread out.
 */
function pauseMs(waitedMs: number): number {
  const longest = Math.min(Math.max(waitedMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
  return longest / 2 + Math.random() * (longest / 2);
}
