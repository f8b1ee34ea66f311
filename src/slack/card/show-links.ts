import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import {
  CARD_FRESH_MS,
  type CardDemand,
  type CardReader,
} from '../../service/cache/card-reader.ts';
import { DesignApiError } from '../../service/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { LinkSharedArgs } from '../surface/replies.ts';
import type { WatchedMessages } from './card-messages.ts';
import type { CardDetail, CardView, CardViews } from './card-view.ts';
import type { Unfurls } from './send-unfurls.ts';

export type CardLink = {
  url: string;
  /** The link as Slack reported it, which identifies it in `chat.unfurl`. */
  postedAs: string;
  cardId: string;
};

/** The links of one message. */
type LinksToShow = {
  client: SlackClient;
  workspaceId: WorkspaceId;
  settings: WorkspaceSettings;
  links: readonly CardLink[];
  detail: CardDetail;
  /** How many more links the message has. */
  moreLinks: number;
  /** Whether another company sees them. */
  isExternal: boolean;
};

/** After this time, in ms since they were posted, the cards that could be read are shown without the others. */
const SHOW_INCOMPLETE_AFTER_MS = 60_000;
/** For how long cards of posted links are retried, in ms since they were posted. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** The same while they only wait for the request budget: nothing is wrong with them. */
const GIVE_UP_WAITING_AFTER_MS = 24 * GIVE_UP_AFTER_MS;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;

type ShowLinksDeps = {
  cards: CardReader;
  cardViews: CardViews;
  unfurls: Unfurls;
  watchedMessages: WatchedMessages;
  now: () => Date;
  log: Log;
};

export type ShowLinks = ReturnType<typeof createShowLinks>;

type Message = { channel: string; ts: string };
/** Why nothing is shown. */
type NotShown = 'not-found' | 'not-read';

const keyOf = ({ workspaceId }: LinksToShow, { channel, ts }: Message) =>
  `${workspaceId}/${channel}/${ts}`;

/** Shows the cards of the links in a message. */
export function createShowLinks(deps: ShowLinksDeps) {
  const { unfurls, watchedMessages, now, log } = deps;

  async function show(
    { client, workspaceId, settings }: LinksToShow,
    target: Message,
    links: readonly CardView[],
  ): Promise<boolean> {
    const isShown = await unfurls.send(client, { workspaceId, settings, target, links });
    if (isShown) await watchedMessages.rememberPreviews({ workspaceId, ...target }, links);
    return isShown;
  }

  /** Shows what could be read, for the last time. */
  async function finish(
    input: LinksToShow,
    target: Message,
    { shown: links, trouble, isMissing }: LinksRead,
  ): Promise<NotShown | undefined> {
    await show(input, target, links);
    if (trouble) log.info({ code: trouble.code }, 'gave up on a card that could not be read');
    unfurls.incomplete.delete(keyOf(input, target));
    if (links.length > 0) return undefined;
    return isMissing ? 'not-read' : 'not-found';
  }

  return {
    /** Shows the cards of links that are being typed. The composer's event has only an unfurl ID. */
    async preview(
      { unfurl_id, channel, message_ts: ts }: LinkSharedArgs['event'],
      input: LinksToShow,
    ): Promise<void> {
      if (unfurls.isLimited(input.workspaceId)) return;
      // What can't be read or shown now is left out.
      const { shown: links, trouble } = await readCards(deps, input, { class: 'background' });
      if (trouble) log.info({ code: trouble.code }, 'could not read a card for a composer preview');
      const target = unfurl_id ? { source: 'composer' as const, unfurl_id } : { channel, ts };
      await unfurls.send(input.client, { ...input, target, links });
    },

    /**
     * Shows the cards under the links of a posted message: all at once as soon as they can be read; after a minute,
     * those that can be read, and the others later. Repeating an unfurl replaces it.
     *
     * @returns why nothing at all is shown
     * @throws RetryLaterError while there is something to retry; NotConnectedError without a usable key
     */
    async post(
      { channel, message_ts: ts }: LinkSharedArgs['event'],
      input: LinksToShow & { postedAt: Date },
    ): Promise<NotShown | undefined> {
      const { workspaceId, postedAt } = input;
      const limitedUntil = unfurls.retryAt(workspaceId);
      if (limitedUntil) throw new RetryLaterError(limitedUntil);
      // During a flood, Slack takes minutes to show all links, and cards are not read again for that.
      const since = new Date(postedAt.getTime() - CARD_FRESH_MS);
      const read = await readCards(deps, input, { class: 'posted', since });
      const { trouble } = read;
      const target = { channel, ts };
      const waitedMs = now().getTime() - postedAt.getTime();
      // Not `>=`: it is NaN if the event has no time, and a time to try again couldn't be computed either.
      if (!trouble || !(waitedMs < giveUpAfterMs(trouble))) return finish(input, target, read);
      let isShown = unfurls.incomplete.has(keyOf(input, target));
      if (!isShown && isTimeToShow(read, waitedMs) && !unfurls.isLimited(workspaceId)) {
        // If Slack refuses, don't complete it later either.
        if (!(await show(input, target, read.shown))) return undefined;
        unfurls.incomplete.set(keyOf(input, target), true);
        isShown = true;
      }
      const retryAt = nextAttempt(trouble, { now: now(), waitedMs, isShown });
      log.info({ code: trouble.code, retryAt }, 'could not read a card for a link; retrying');
      throw new RetryLaterError(retryAt, { cause: trouble });
    },
  };
}

type LinksRead = {
  /** The cards that can be shown. */
  shown: CardView[];
  /** Whether a card couldn't be read for now. Those that the service doesn't have, or refuses, are just left out. */
  isMissing: boolean;
  /** Why not every card is current: the failure that takes longest to pass, as far as the service says. */
  trouble?: DesignApiError;
};

async function readCards(
  deps: ShowLinksDeps,
  { client, workspaceId, links, detail, moreLinks, isExternal }: LinksToShow,
  demand: CardDemand,
): Promise<LinksRead> {
  const readings = await Promise.all(
    links.map(async (link) => ({
      link,
      reading: await deps.cards
        .read(workspaceId, link.cardId, demand)
        .catch((error: unknown) => failureOf(error)),
    })),
  );
  const read: LinksRead = { shown: [], isMissing: false };
  const retryMs = (trouble: DesignApiError | undefined) => trouble?.retryAt?.getTime() ?? 0;
  for (const { link, reading } of readings) {
    if ('unreadable' in reading) continue;
    const { trouble } = reading;
    if (trouble?.code === 'invalid_request') {
      const why = 'the service refused to read a card, so its link is not unfurled';
      deps.log.info({ code: trouble.code }, why);
      continue;
    }
    if (trouble && retryMs(trouble) >= retryMs(read.trouble)) read.trouble = trouble;
    if (!('card' in reading)) {
      read.isMissing = true;
      continue;
    }
    const { cardId } = link;
    const reader = { client, workspaceId, callClass: demand.class };
    const facts =
      detail === 'title'
        ? deps.cardViews.describeAtOnce(cardId, reading)
        : await deps.cardViews.describe(reader, cardId, reading);
    read.shown.push({ ...facts, url: link.url, postedAs: link.postedAs, detail, isExternal });
  }
  const last = read.shown.at(-1);
  if (last && moreLinks > 0) last.moreLinks = moreLinks;
  return read;
}

function failureOf(error: unknown): { trouble: DesignApiError } {
  if (error instanceof DesignApiError) return { trouble: error };
  throw error;
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
  // About as long as it has waited so far, so that pauses double; random, so that retries spread out.
  const longestMs = Math.min(Math.max(waitedMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
  const pauseMs = (longestMs / 2) * (1 + Math.random());
  const again = retryAt?.getTime() ?? now.getTime() + pauseMs;
  const untilShownMs = SHOW_INCOMPLETE_AFTER_MS - waitedMs;
  if (isShown || untilShownMs <= 0) return new Date(again);
  return new Date(Math.min(again, now.getTime() + untilShownMs));
}
