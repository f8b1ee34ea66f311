import { DesignApiError } from '../../design-api/errors.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../workspaces/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { type LinkSharedArgs, messagePrivately, workspaceOf } from '../listeners.ts';
import { refuseReading } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { slackErrorCode } from '../slack-errors.ts';
import { NOT_CONNECTED } from '../wording.ts';
import { brandNameOf, type CardDetail, type CardView } from './card-view.ts';
import { sendUnfurls, type UnfurlTarget } from './send-unfurls.ts';
import { type CardLink, detailFor, linksToShow } from './unfurl-content.ts';

type UnfurlDeps = Pick<
  SlackDeps,
  'settings' | 'cards' | 'catalogue' | 'cardLinks' | 'people' | 'hints' | 'now' | 'log'
>;

/** A posted link whose card can't be read for now is tried again this often, then left as it is. */
const MOST_RETRIES = 5;

/** Unfurls the card links of a message, or of one that is being written. */
export async function onLinkShared(deps: UnfurlDeps, args: LinkSharedArgs): Promise<void> {
  const { event, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const settings = await deps.settings.get(workspaceId);
  const links = linksToShow(event.links, deps.cardLinks.cardIdOf);
  if (settings.unfurls === 'off' || links.length === 0) return;
  // Everybody in the channel sees an unfurl, the other company too.
  if (body.is_ext_shared_channel === true && !settings.shareExternally) return;

  const composer = event.source === 'composer';
  const poster = await deps.people.whoIs(client, workspaceId, event.user);
  if (refuseReading(poster, settings)) return;

  const detail = detailFor(linkCount(event.links, deps), { composer, unfurls: settings.unfurls });
  const retries = composer ? MOST_RETRIES : (context.retryNum ?? 0);
  try {
    const views = await readCards(deps, {
      workspaceId,
      links,
      detail,
      isLastTry: retries >= MOST_RETRIES,
    });
    await sendUnfurls(deps, client, targetOf(event), views);
  } catch (error) {
    if (!(error instanceof NotConnectedError)) throw error;
    if (!composer) await hintOnce(deps, client, { workspaceId, event });
  }
}

/** How many card links a message holds; of many only some are shown, and those compactly. */
function linkCount(links: readonly { url: string }[], { cardLinks }: UnfurlDeps): number {
  const urls = links.map(({ url }) => url).filter((url) => cardLinks.cardIdOf(url) !== undefined);
  return new Set(urls).size;
}

/** The composer's event names no channel and no message, only the unfurl itself. */
function targetOf(event: LinkSharedArgs['event']): UnfurlTarget {
  return event.source === 'composer' && event.unfurl_id
    ? { source: 'composer', unfurl_id: event.unfurl_id }
    : { channel: event.channel, ts: event.message_ts };
}

async function readCards(
  deps: Pick<UnfurlDeps, 'cards' | 'catalogue'>,
  input: { workspaceId: string; links: CardLink[]; detail: CardDetail; isLastTry: boolean },
): Promise<CardView[]> {
  const { workspaceId, links, detail, isLastTry } = input;
  const brands = deps.catalogue.peekFormOptions(workspaceId)?.brands;
  const readings = await Promise.allSettled(
    links.map(({ cardId }) => deps.cards.read(workspaceId, cardId)),
  );
  const views: CardView[] = [];
  for (const [index, link] of links.entries()) {
    const reading = readings[index];
    if (reading?.status === 'rejected') {
      throwUnlessGivenUp(reading.reason, isLastTry);
    } else if (reading && 'card' in reading.value) {
      const { card } = reading.value;
      views.push({ card, url: link.url, detail, brandName: brandNameOf(card, brands) });
    }
  }
  return views;
}

/** What may pass is waited for, so that a message is unfurled once and whole. */
function throwUnlessGivenUp(error: unknown, isLastTry: boolean): void {
  if (!(error instanceof DesignApiError)) throw error;
  if (error.code === 'unauthorized') throw new NotConnectedError('key_rejected');
  if (isLastTry) return;
  throw error.code === 'rate_limited' && error.retryAt ? new RetryLaterError(error.retryAt) : error;
}

async function hintOnce(
  deps: Pick<UnfurlDeps, 'hints' | 'now' | 'log'>,
  client: SlackClient,
  { workspaceId, event }: { workspaceId: string; event: LinkSharedArgs['event'] },
): Promise<void> {
  const turn = await deps.hints.takeTurn(workspaceId, event.user, 'not-connected', deps.now());
  if (!turn) return;
  const text = `That card link can’t be shown here yet. ${NOT_CONNECTED}`;
  try {
    await client.chat.postEphemeral({ channel: event.channel, user: event.user, text });
  } catch (error) {
    // The app hears of links in channels that it is not in, but can't speak there.
    deps.log.debug({ code: slackErrorCode(error) }, 'the hint goes to the direct messages');
    await messagePrivately(client, event.user, text);
  }
}
