import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { rememberPreviews } from '../watching/shown.ts';
import { loadingLinksOf } from './loading-links.ts';
import type { MissingCard } from './missing-card.ts';
import { type LinksRead, type LinksToRead, readCards } from './read-linked-cards.ts';
import { sendUnfurls } from './send-unfurls.ts';
import type { CardLink, ShownLink } from './unfurl-content.ts';

export type PostedLinksDeps = Pick<
  SlackDeps,
  | 'cards'
  | 'referenceLists'
  | 'requests'
  | 'people'
  | 'entries'
  | 'unfurlLimit'
  | 'workObjects'
  | 'transact'
  | 'now'
  | 'log'
>;

type Posted = LinksToRead & { postedAt: Date; isFirstTry: boolean; settings: WorkspaceSettings };

/** After this time, a link without a card is shown anyway and completed later. */
const SHOW_INCOMPLETE_AFTER_MS = 60_000;
/** For how long cards of posted links are retried, in ms since they were posted. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** The same while they only wait for the request budget: nothing is wrong with them. */
const GIVE_UP_WAITING_AFTER_MS = 24 * GIVE_UP_AFTER_MS;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;
const MAX_REMEMBERED = 10_000;
const NONE: ReadonlySet<string> = new Set();

/**
 * Creates the function that shows the cards under the links of a posted message.
 *
 * It waits for transient failures, so that a message is unfurled once, with all its cards. After a
 * minute it shows what is known and completes it later; repeating an unfurl replaces it. It throws
 * RetryLaterError while there is something to retry, and returns why it shows nothing at all.
 */
export function createPostedLinks(deps: PostedLinksDeps) {
  /**
   * Messages that are shown incompletely. After a restart, a message none of whose links says that
   * it is loading may be shown incompletely once more.
   */
  const incomplete = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  return async function showPosted(
    { channel, message_ts: ts }: { channel: string; message_ts: string },
    posted: Posted,
  ): Promise<'not-found' | undefined> {
    const { client, workspaceId, settings, postedAt } = posted;
    const message = `${workspaceId}/${channel}/${ts}`;
    const show = async (shownLinks: readonly ShownLink[]) => {
      const links = withMoreLinks(shownLinks, posted.moreLinks);
      const target = { channel, ts };
      const unfurling = { workspaceId, settings, target, links };
      const isShown = await sendUnfurls(deps, client, unfurling);
      if (isShown) await rememberPreviews(deps, { workspaceId, channel, ts }, links);
      return isShown;
    };
    const waited = () => deps.now().getTime() - postedAt.getTime();

    const storedLoading = loadingLinksOf(deps, { ...posted, channel, ts });
    // Nobody has shown it yet, so nearly all messages need no query.
    const isNew = posted.isFirstTry && waited() < SHOW_INCOMPLETE_AFTER_MS;
    const loading = isNew ? NONE : await storedLoading.get();
    // The others show their cards, or nothing.
    const isLoading = ({ postedAs }: CardLink) => loading.has(postedAs);
    const showFinally = async (links: readonly ShownLink[]) => {
      await show(links);
      incomplete.delete(message);
      if (loading.size > 0) await storedLoading.clear();
    };
    const read = await readCards(deps, posted).catch(async (error: unknown) => {
      if (error instanceof NotConnectedError) {
        await showFinally(missing(posted.links.filter(isLoading), posted, 'failed'));
      }
      throw error;
    });
    const { shown, unreadable, trouble } = read;
    const notFound = missing(unreadable.filter(isLoading), posted, 'notFound');
    if (!trouble) {
      await showFinally([...shown, ...notFound]);
      return nothingFound(read);
    }
    const now = deps.now();
    const waitedMs = waited();
    // Not `>=`: it is NaN if the event has no time, and a time to try again couldn't be computed either.
    if (!(waitedMs < giveUpAfterMs(trouble))) {
      deps.log.info({ code: trouble.code }, 'gave up on a card that could not be read');
      await showFinally([...shown.map(givenUp), ...notFound]);
      return undefined;
    }
    let isShown = incomplete.has(message) || loading.size > 0;
    if (!isShown && isTimeToShow(read, waitedMs) && !deps.unfurlLimit.isLimited(workspaceId)) {
      // If Slack refuses, don't complete it later either.
      if (!(await showIncompletely(shown, show, storedLoading))) return undefined;
      incomplete.set(message, true);
      isShown = true;
    }
    const retryAt = nextAttempt(trouble, { now, waitedMs, isShown });
    deps.log.info({ code: trouble.code, retryAt }, 'could not read a card for a link; retrying');
    throw new RetryLaterError(retryAt, { cause: trouble });
  };
}

/** Which links will say that they are loading is stored before, so that this ends even if the process dies in between. */
async function showIncompletely(
  shown: readonly ShownLink[],
  show: (links: readonly ShownLink[]) => Promise<boolean>,
  storedLoading: ReturnType<typeof loadingLinksOf>,
): Promise<boolean> {
  await storedLoading.record(shown.filter(isMissing));
  let isShown = false;
  try {
    isShown = await show(shown);
  } finally {
    if (!isShown) await storedLoading.clear();
  }
  return isShown;
}

/** Says below the last preview how many more links there are. */
const withMoreLinks = (links: readonly ShownLink[], moreLinks: number | undefined): ShownLink[] =>
  links.map((link, index) =>
    moreLinks && index === links.length - 1 ? { ...link, moreLinks } : link,
  );

/** Whether nothing is shown because the service refuses all of it. */
const nothingFound = ({ shown, unreadable }: LinksRead): 'not-found' | undefined =>
  shown.length === 0 && unreadable.length > 0 ? 'not-found' : undefined;

const missing = (
  links: readonly CardLink[],
  { detail, isExternal }: Posted,
  why: MissingCard['missing'],
): ShownLink[] => links.map((link) => ({ ...link, detail, isExternal, missing: why }));

const isMissing = (link: ShownLink): link is MissingCard => 'missing' in link;

const givenUp = (link: ShownLink): ShownLink =>
  isMissing(link) ? { ...link, missing: 'failed' } : link;

const giveUpAfterMs = ({ code }: DesignApiError) =>
  code === 'rate_limited' ? GIVE_UP_WAITING_AFTER_MS : GIVE_UP_AFTER_MS;

/**
 * While only the request budget is used up, wait: there is more within a minute. Other failures may
 * last, so show what is cached.
 */
function isTimeToShow({ shown, trouble }: LinksRead, waitedMs: number): boolean {
  if (trouble?.code === 'unauthorized') return false;
  if (waitedMs >= SHOW_INCOMPLETE_AFTER_MS) return true;
  return trouble?.code !== 'rate_limited' && shown.every((link) => 'card' in link);
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
