import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { CARD_FRESH_MS, type CardDemand } from '../../service/cache/card-reader.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { Thread } from '../../store/watches.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { AccessControl, Allowed } from '../interaction/access.ts';
import type { PersonalEvent } from '../interaction/interactions.ts';
import { unescapeEntities } from '../text/escape.ts';
import { linkNotShown, WHY_NOT_SHOWN } from '../words/card.ts';
import { wordsForServiceError } from '../words/errors.ts';
import type { CardMessages } from './card-messages.ts';
import type { CardDetail, CardView, CardViews } from './card-view.ts';
import type { CardDisplay } from './menu.ts';

const MAX_UNFURLED_LINKS = 3;
/** After this time, in ms since they were posted, the cards that could be read are shown without the others. */
const SHOW_INCOMPLETE_AFTER_MS = 60_000;
/** For how long cards of posted links are retried, in ms since they were posted. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** The same while they only wait for the request budget: nothing is wrong with them. */
const GIVE_UP_WAITING_AFTER_MS = 24 * GIVE_UP_AFTER_MS;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;
const MAX_MESSAGES = 10_000;

type Links = {
  client: SlackClient;
  workspaceId: WorkspaceId;
  settings: WorkspaceSettings;
  links: ReturnType<typeof cardLinksIn>;
  detail: CardDetail;
  isExternal: boolean;
};

type LinkShared = PersonalEvent<'link_shared'>;

/** The reasons that people were given, by channel. */
const NOT_SHOWN = onceKind('link_not_shown');

export function createUnfurlHandler(deps: {
  settings: WorkspaceSettingsStore;
  cards: Cards;
  cardViews: CardViews;
  cardMessages: CardMessages;
  watching: Watching;
  entries: Entries;
  access: AccessControl;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}) {
  const { cards, cardViews, cardMessages, watching, entries, access, now, log } = deps;
  /** Messages that don't show all their cards yet. Forgotten at a restart: one may then be shown incomplete again. */
  const incomplete = new LRUCache<string, true>(atMost(MAX_MESSAGES));

  /** @returns nothing if the service doesn't have the card, or refuses to read it */
  async function readCard(
    { client, workspaceId, detail, isExternal }: Links,
    { cardId, postedAs }: Links['links'][number],
    demand: CardDemand,
  ): Promise<{ view?: CardView; readError?: DesignApiError | undefined }> {
    const reading = await cards.read(workspaceId, cardId, demand).catch((error: unknown) => {
      if (!(error instanceof DesignApiError)) throw error;
      return { readError: error };
    });
    if ('unreadable' in reading) return {};
    const { readError } = reading;
    if (readError?.code === 'invalid_request') {
      const what = 'the service refused to read a card, so its link is not unfurled';
      log.info({ code: readError.code }, what);
      return {};
    }
    if (!('card' in reading)) return { readError };
    const facts =
      detail === 'title'
        ? cardViews.withoutLookups(cardId, reading)
        : await cardViews.addNames({ client, workspaceId }, cardId, reading, demand.class);
    return { view: { ...facts, postedAs, detail, isExternal }, readError };
  }

  async function readCards(input: Links, demand: CardDemand): Promise<CardsRead> {
    const { links } = input;
    const read = await Promise.all(
      links.slice(0, MAX_UNFURLED_LINKS).map((link) => readCard(input, link, demand)),
    );
    const shown = read.flatMap(({ view }) => view ?? []);
    const isMissing = read.some(({ view, readError }) => !view && readError);
    const readErrors = read.flatMap(({ readError }) => readError ?? []);
    const readError = readErrors.toSorted((one, other) => retryMs(one) - retryMs(other)).at(-1);
    const last = shown.at(-1);
    const moreLinks = links.length - MAX_UNFURLED_LINKS;
    if (last && moreLinks > 0) last.moreLinks = moreLinks;
    return { shown, isMissing, readError };
  }

  /** Shows the cards of links that are being typed. What can't be read or shown now is left out. */
  async function preview(event: LinkShared['body']['event'], input: Links): Promise<void> {
    const { unfurl_id, channel, message_ts: ts } = event;
    if (cardMessages.isLimited(input.workspaceId)) return;
    const { shown, readError } = await readCards(input, { class: 'background' });
    if (readError)
      log.info({ code: readError.code }, 'could not read a card for a composer preview');
    // The composer's event has only an unfurl ID.
    const target = unfurl_id ? { source: 'composer' as const, unfurl_id } : { channel, ts };
    await cardMessages.unfurl(input.client, { ...input, target, links: shown });
  }

  /**
   * Shows the cards under the links of a posted message: all at once as soon as they can be read; after a minute,
   * those that can be read, and the others later. Repeating an unfurl replaces it. Returns why nothing at all is shown.
   *
   * @throws RetryLaterError while there is something to retry; NotConnectedError without a usable key
   */
  async function post({ event, event_time }: LinkShared['body'], input: Links) {
    const { channel, message_ts: ts } = event;
    const { workspaceId } = input;
    const limitedUntil = cardMessages.retryAt(workspaceId);
    if (limitedUntil) throw new RetryLaterError(limitedUntil);
    const postedAt = event_time * 1_000;
    // During a flood, Slack takes minutes to show all links, and cards are not read again for that.
    const since = new Date(postedAt - CARD_FRESH_MS);
    const read = await readCards(input, { class: 'posted', since });
    const { shown, readError } = read;
    const show = () => showUnder({ channel, ts }, input, shown);
    const key = `${workspaceId}/${channel}/${ts}`;
    const waitedMs = now().getTime() - postedAt;
    // `!(a < b)` also covers NaN, from an event without a time.
    if (!readError || !(waitedMs < giveUpAfterMs(readError))) {
      await show();
      if (readError) log.info({ code: readError.code }, 'gave up on a card that could not be read');
      incomplete.delete(key);
      return reasonNothingShown(read);
    }
    const isTime =
      !incomplete.has(key) && isTimeToShow(read, waitedMs) && !cardMessages.isLimited(workspaceId);
    if (isTime) {
      // If Slack refuses, don't complete it later either.
      if (!(await show())) return undefined;
      incomplete.set(key, true);
    }
    const isShown = incomplete.has(key);
    const retryAt = nextAttempt(readError, { now: now().getTime(), waitedMs, isShown });
    log.info({ code: readError.code, retryAt }, 'could not read a card for a link; retrying');
    throw new RetryLaterError(retryAt, { cause: readError });
  }

  async function showUnder(target: Thread, input: Links, links: readonly CardView[]) {
    const { client, workspaceId, settings, isExternal } = input;
    if (!(await cardMessages.unfurl(client, { workspaceId, settings, target, links })))
      return false;
    for (const [cardId, views] of Map.groupBy(links, ({ card }) => card.id)) {
      const [first, ...others] = views;
      if (!first?.isWatched || !first.readAt) continue;
      const detail = first.detail === 'large' ? 'large' : 'small';
      const shown: CardDisplay = {
        kind: 'preview',
        detail,
        isExternal,
        ...linkOf(first),
        others: others.map(linkOf),
      };
      const message = { ...target, shown };
      await watching.keepCurrent({ workspaceId, cardId }, { message, readAt: first.readAt });
    }
    return true;
  }

  /**
   * Tells the person who posted a link why nothing is shown, so that only they see it: once for each reason and channel.
   * If the app isn't in the channel, that fails, and is tried again with their next link; only a reason that someone can
   * fix for all channels is sent as a direct message instead.
   */
  async function hintNotShown(
    shared: LinkShared,
    why: keyof typeof WHY_NOT_SHOWN | NotConnectedError,
  ): Promise<void> {
    const { client, workspaceId, userId: user } = shared;
    const { channel, thread_ts } = shared.body.event;
    const reason = typeof why === 'string' ? why : 'not-connected';
    const hint = { kind: NOT_SHOWN, owner: workspaceId, name: `${user}/${reason}/${channel}` };
    if (!(await entries.takeOnce(hint, now()))) return;
    const words =
      typeof why === 'string'
        ? WHY_NOT_SHOWN[why]
        : wordsForServiceError(why, await access.adminToAsk(shared));
    const text = linkNotShown(words);
    const thread = thread_ts === undefined ? {} : { thread_ts };
    try {
      await client.chat.postEphemeral({ channel, user, text, ...thread }).catch(async (error) => {
        if (reason !== 'not-connected' || outcomeOfCall(error) !== 'refused') throw error;
        log.debug({ code: slackErrorCode(error), reason }, 'could not post a hint in the channel');
        await deps.directMessages.send(client, shared, { text });
      });
    } catch (error) {
      const what = 'could not say why a link isn’t shown; the next link tries again';
      log.info({ err: error, reason }, what);
      await entries.remove(hint);
    }
  }

  async function onPosted(shared: Allowed<LinkShared>, input: Links): Promise<void> {
    const why = isHidden(input.settings, input.isExternal)
      ? 'external'
      : await post(shared.body, input).catch(ifNotConnected);
    if (why && !shared.person.isBot) await hintNotShown(shared, why);
  }

  /** @throws RetryLaterError while the service or Slack can't do it */
  return async (shared: Allowed<LinkShared>): Promise<void> => {
    const { client, workspaceId, person, body } = shared;
    const { event } = body;
    const links = cardLinksIn(event.links, cards.cardIdOf);
    if (links.length === 0) return;
    const composer = event.source === 'composer';
    // The composer doesn't say in which channel.
    const settings = await deps.settings.get(workspaceId, composer ? undefined : event.channel);
    if (settings.unfurls === 'off') return;
    const isExternal = body.is_ext_shared_channel === true;
    const detail = links.length === 1 ? settings.unfurls : 'small';
    const input = { client, workspaceId, settings, links, isExternal, detail };
    if (!composer) return onPosted(shared, input);
    // It isn't known who will see them, so previews are for full members only.
    if (isHidden(settings, isExternal) || person.role === 'guest') return;
    await preview(event, { ...input, detail: 'title' });
  };
}

const linkOf = ({ url, postedAs = url, moreLinks }: CardView) => ({ postedAs, moreLinks });

/** Everyone in the channel sees an unfurl, including the other company. */
const isHidden = ({ shareExternally }: WorkspaceSettings, isExternal: boolean) =>
  isExternal && !shareExternally;

function ifNotConnected(error: unknown): NotConnectedError {
  if (error instanceof NotConnectedError) return error;
  throw error;
}

type CardsRead = {
  shown: CardView[];
  /** Whether a card couldn't be read for now. Those that the service doesn't have, or refuses, are just left out. */
  isMissing: boolean;
  /** Why not every card is current: the failure that takes longest to pass, as far as the service says. */
  readError: DesignApiError | undefined;
};

/**
 * In order, without duplicates. Slack writes `&` as `&amp;` (undocumented, so both are accepted:
 * github.com/slackapi/python-slack-events-api/issues/49).
 */
export function cardLinksIn(
  links: readonly { url: string }[],
  cardIdOf: (url: string) => string | undefined,
) {
  const urls = new Set(links.map(({ url }) => url));
  return [...urls].flatMap((postedAs) => {
    const cardId = cardIdOf(unescapeEntities(postedAs));
    return cardId === undefined ? [] : [{ postedAs, cardId }];
  });
}

const retryMs = ({ retryAt }: DesignApiError) => retryAt?.getTime() ?? 0;

type NothingShownReason = Exclude<keyof typeof WHY_NOT_SHOWN, 'external'>;

function reasonNothingShown({ shown, isMissing }: CardsRead): NothingShownReason | undefined {
  if (shown.length > 0) return undefined;
  return isMissing ? 'not-read' : 'not-found';
}

const giveUpAfterMs = ({ code }: DesignApiError) =>
  code === 'rate_limited' ? GIVE_UP_WAITING_AFTER_MS : GIVE_UP_AFTER_MS;

/** A used-up budget refills in a minute, so wait. Other failures may last: show what is cached. */
function isTimeToShow({ shown, isMissing, readError }: CardsRead, waitedMs: number): boolean {
  if (shown.length === 0 || readError?.code === 'unauthorized') return false;
  return waitedMs >= SHOW_INCOMPLETE_AFTER_MS || (readError?.code !== 'rate_limited' && !isMissing);
}

function nextAttempt(
  { retryAt }: DesignApiError,
  { now, waitedMs, isShown }: { now: number; waitedMs: number; isShown: boolean },
): Date {
  // About as long as it has waited so far, so that pauses double; random, so that retries spread out.
  const longestMs = Math.min(Math.max(waitedMs, MIN_PAUSE_MS), MAX_PAUSE_MS);
  const pauseMs = (longestMs / 2) * (1 + Math.random());
  const again = retryAt?.getTime() ?? now + pauseMs;
  const untilShownMs = SHOW_INCOMPLETE_AFTER_MS - waitedMs;
  return new Date(isShown || untilShownMs <= 0 ? again : Math.min(again, now + untilShownMs));
}
