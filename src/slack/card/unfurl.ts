import type { Cards } from '../../design-service.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { CARD_FRESH_MS, type CardDemand } from '../../service/cache/card-reader.ts';
import { DesignApiError } from '../../service/errors.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { Watching } from '../../watching/begin-watching.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { AccessControl, Allowed } from '../surface/access.ts';
import type { PersonalEvent } from '../surface/interactions.ts';
import { unescapeEntities } from '../text/escape.ts';
import { linkNotShown, WHY_NOT_SHOWN } from '../words/card.ts';
import { wordsForReadError } from '../words/errors.ts';
import type { CardDetail, CardView, CardViews } from './card-view.ts';
import type { CardDisplay } from './redraw.ts';
import type { Unfurls } from './send-unfurls.ts';

/** Of more links, only the first three are shown. */
const MAX_UNFURLED_LINKS = 3;
/** After this time, in ms since they were posted, the cards that could be read are shown without the others. */
const SHOW_INCOMPLETE_AFTER_MS = 60_000;
/** For how long cards of posted links are retried, in ms since they were posted. */
const GIVE_UP_AFTER_MS = 60 * 60_000;
/** The same while they only wait for the request budget: nothing is wrong with them. */
const GIVE_UP_WAITING_AFTER_MS = 24 * GIVE_UP_AFTER_MS;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 5 * 60_000;

type UnfurlDeps = {
  settings: WorkspaceSettingsStore;
  cards: Cards;
  cardViews: CardViews;
  unfurls: Unfurls;
  watching: Watching;
  entries: Entries;
  access: AccessControl;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
};

/** The links of one message, and how they are shown. */
type Links = {
  client: SlackClient;
  workspaceId: WorkspaceId;
  settings: WorkspaceSettings;
  links: ReturnType<typeof cardLinksIn>;
  detail: CardDetail;
  isExternal: boolean;
};

type LinkShared = PersonalEvent<'link_shared'>;

/** Unfurls card links in a message, posted or being typed. */
export const createUnfurlHandler =
  (deps: UnfurlDeps) =>
  (shared: Allowed<LinkShared>): Promise<void> =>
    onLinkShared(deps, shared);

/** @throws RetryLaterError while the service or Slack can't do it */
async function onLinkShared(deps: UnfurlDeps, shared: Allowed<LinkShared>): Promise<void> {
  const { client, workspaceId, person, body } = shared;
  const { event } = body;
  const links = cardLinksIn(event.links, deps.cards.cardIdOf);
  if (links.length === 0) return;
  const composer = event.source === 'composer';
  // The composer doesn't say in which channel.
  const settings = await deps.settings.get(workspaceId, composer ? undefined : event.channel);
  if (settings.unfurls === 'off') return;
  const isExternal = body.is_ext_shared_channel === true;
  // Everyone in the channel sees an unfurl, including the other company.
  const isHidden = isExternal && !settings.shareExternally;
  const input = { client, workspaceId, settings, links, isExternal };
  if (composer) {
    // It isn't known who will see them, so previews are for full members only.
    if (isHidden || person.role === 'guest') return;
    return preview(deps, event, { ...input, detail: 'title' });
  }
  const detail = links.length === 1 ? settings.unfurls : 'small';
  const why = isHidden
    ? 'external'
    : await post(deps, body, { ...input, detail }).catch((error: unknown) => {
        if (!(error instanceof NotConnectedError)) throw error;
        return error;
      });
  if (why && !person.isBot) await hintNotShown(deps, shared, why);
}

/**
 * The card links of a message without duplicates, in order.
 *
 * @param links from `link_shared`, in which Slack writes `&amp;` for `&` (undocumented, see
 *   github.com/slackapi/python-slack-events-api/issues/49, so a plain `&` is accepted, too)
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

/** Shows the cards of links that are being typed. What can't be read or shown now is left out. */
async function preview(
  deps: UnfurlDeps,
  { unfurl_id, channel, message_ts: ts }: LinkShared['body']['event'],
  input: Links,
): Promise<void> {
  if (deps.unfurls.isLimited(input.workspaceId)) return;
  const { shown, trouble } = await readCards(deps, input, { class: 'background' });
  if (trouble) {
    deps.log.info({ code: trouble.code }, 'could not read a card for a composer preview');
  }
  // The composer's event has only an unfurl ID.
  const target = unfurl_id ? { source: 'composer' as const, unfurl_id } : { channel, ts };
  await deps.unfurls.send(input.client, { ...input, target, links: shown });
}

/**
 * Shows the cards under the links of a posted message: all at once as soon as they can be read; after a minute,
 * those that can be read, and the others later. Repeating an unfurl replaces it.
 *
 * @returns why nothing at all is shown
 * @throws RetryLaterError while there is something to retry; NotConnectedError without a usable key
 */
async function post(
  deps: UnfurlDeps,
  { event: { channel, message_ts: ts }, event_time }: LinkShared['body'],
  input: Links,
): Promise<'not-found' | 'not-read' | undefined> {
  const { unfurls, now, log } = deps;
  const { workspaceId } = input;
  const limitedUntil = unfurls.retryAt(workspaceId);
  if (limitedUntil) throw new RetryLaterError(limitedUntil);
  // In seconds.
  const postedAt = event_time * 1_000;
  // During a flood, Slack takes minutes to show all links, and cards are not read again for that.
  const since = new Date(postedAt - CARD_FRESH_MS);
  const read = await readCards(deps, input, { class: 'posted', since });
  const { shown, trouble } = read;
  const message = { channel, ts };
  const key = `${workspaceId}/${channel}/${ts}`;
  const waitedMs = now().getTime() - postedAt;
  const giveUpAfterMs =
    trouble?.code === 'rate_limited' ? GIVE_UP_WAITING_AFTER_MS : GIVE_UP_AFTER_MS;
  // Not `>=`: it is NaN if the event has no time, and a time to try again couldn't be computed either.
  if (!trouble || !(waitedMs < giveUpAfterMs)) {
    await show(deps, input, message, shown);
    if (trouble) log.info({ code: trouble.code }, 'gave up on a card that could not be read');
    unfurls.incomplete.delete(key);
    if (shown.length > 0) return undefined;
    return read.isMissing ? 'not-read' : 'not-found';
  }
  if (
    !unfurls.incomplete.has(key) &&
    isTimeToShow(read, waitedMs) &&
    !unfurls.isLimited(workspaceId)
  ) {
    // If Slack refuses, don't complete it later either.
    if (!(await show(deps, input, message, shown))) return undefined;
    unfurls.incomplete.set(key, true);
  }
  const isShown = unfurls.incomplete.has(key);
  const retryAt = nextAttempt(trouble, { now: now().getTime(), waitedMs, isShown });
  log.info({ code: trouble.code, retryAt }, 'could not read a card for a link; retrying');
  throw new RetryLaterError(retryAt, { cause: trouble });
}

/**
 * While only the request budget is used up, wait: there is more within a minute. Other failures may
 * last, so show what is cached.
 */
function isTimeToShow({ shown, isMissing, trouble }: CardsRead, waitedMs: number): boolean {
  if (shown.length === 0 || trouble?.code === 'unauthorized') return false;
  return waitedMs >= SHOW_INCOMPLETE_AFTER_MS || (trouble?.code !== 'rate_limited' && !isMissing);
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

type CardsRead = Awaited<ReturnType<typeof readCards>>;

async function readCards(
  { cards, cardViews, log }: UnfurlDeps,
  { client, workspaceId, links, detail, isExternal }: Links,
  demand: CardDemand,
) {
  const readings = await Promise.all(
    links.slice(0, MAX_UNFURLED_LINKS).map(async (link) => ({
      ...link,
      reading: await cards.read(workspaceId, link.cardId, demand).catch((error: unknown) => {
        if (!(error instanceof DesignApiError)) throw error;
        return { trouble: error };
      }),
    })),
  );
  /** The cards that can be shown. */
  const shown: CardView[] = [];
  /** Whether a card couldn't be read for now. Those that the service doesn't have, or refuses, are just left out. */
  let isMissing = false;
  /** Why not every card is current: the failure that takes longest to pass, as far as the service says. */
  let trouble: DesignApiError | undefined;
  const retryMs = (one: DesignApiError | undefined) => one?.retryAt?.getTime() ?? 0;
  for (const { cardId, postedAs, reading } of readings) {
    if ('unreadable' in reading) continue;
    const failure = reading.trouble;
    if (failure?.code === 'invalid_request') {
      const what = 'the service refused to read a card, so its link is not unfurled';
      log.info({ code: failure.code }, what);
      continue;
    }
    if (failure && retryMs(failure) >= retryMs(trouble)) trouble = failure;
    if (!('card' in reading)) {
      isMissing = true;
      continue;
    }
    const reader = { client, workspaceId, callClass: demand.class };
    const facts =
      detail === 'title'
        ? cardViews.describeAtOnce(cardId, reading)
        : await cardViews.describe(reader, cardId, reading);
    shown.push({ ...facts, postedAs, detail, isExternal });
  }
  const last = shown.at(-1);
  if (last && links.length > MAX_UNFURLED_LINKS) last.moreLinks = links.length - MAX_UNFURLED_LINKS;
  return { shown, isMissing, trouble };
}

/** Shows cards under a posted message, and keeps those that are watched current. */
async function show(
  { unfurls, watching }: UnfurlDeps,
  { client, workspaceId, settings, isExternal }: Links,
  target: { channel: string; ts: string },
  links: readonly CardView[],
): Promise<boolean> {
  if (!(await unfurls.send(client, { workspaceId, settings, target, links }))) return false;
  for (const [cardId, views] of Map.groupBy(links, ({ card }) => card.id)) {
    const [first] = views;
    if (!first?.isWatched || !first.readAt) continue;
    const { readAt, detail } = first;
    const [link, ...others] = views.map(({ url, postedAs = url, moreLinks }) => ({
      ...{ postedAs, moreLinks },
    }));
    if (!link) continue;
    const shown: CardDisplay = {
      kind: 'preview',
      ...link,
      others,
      detail: detail === 'large' ? detail : 'small',
      isExternal,
    };
    await watching.keepCurrent({ workspaceId, cardId }, { message: { ...target, shown }, readAt });
  }
  return true;
}

/** The reasons that people were given, by channel. */
const NOT_SHOWN = onceKind('link_not_shown');

/**
 * Tells the person who posted a link why nothing is shown, so that only they see it: once for each reason and channel.
 * If the app isn't in the channel, that fails, and is tried again with their next link; only a reason that someone can
 * fix for all channels is sent as a direct message instead.
 */
async function hintNotShown(
  { entries, access, directMessages, now, log }: UnfurlDeps,
  { client, workspaceId, body: { event } }: LinkShared,
  why: keyof typeof WHY_NOT_SHOWN | NotConnectedError,
): Promise<void> {
  const { user, channel, thread_ts } = event;
  const reason = typeof why === 'string' ? why : 'not-connected';
  const hint = { kind: NOT_SHOWN, owner: workspaceId, name: `${user}/${reason}/${channel}` };
  if (!(await entries.takeOnce(hint, now()))) return;
  const text = linkNotShown(
    typeof why === 'string'
      ? WHY_NOT_SHOWN[why]
      : wordsForReadError(why, await access.adminToAsk({ client, workspaceId, userId: user })),
  );
  const thread = thread_ts === undefined ? {} : { thread_ts };
  try {
    await client.chat.postEphemeral({ channel, user, text, ...thread }).catch(async (error) => {
      if (reason !== 'not-connected' || outcomeOfCall(error) !== 'refused') throw error;
      log.debug({ code: slackErrorCode(error), reason }, 'could not post a hint in the channel');
      await directMessages.send(client, { workspaceId, userId: user }, { text });
    });
  } catch (error) {
    const what = 'could not say why a link isn’t shown; the next link tries again';
    log.info({ err: error, reason }, what);
    await entries.remove(hint);
  }
}
