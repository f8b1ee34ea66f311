import type { WorkspaceSettings } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import { isComposer, type LinkSharedArgs } from '../listener/replies.ts';
import { unescapeEntities } from '../text/escape.ts';
import { linkNotShown, NOT_SHOWN_EXTERNALLY, WHY_NOT_SHOWN } from '../words/card.ts';
import { wordsForReadError } from '../words/errors.ts';
import type { CardDetail } from './card-view.ts';
import { hintNotShown } from './not-shown-hint.ts';
import { type PostedLinksDeps, showPosted } from './posted-links.ts';
import { type CardLink, type LinksToRead, readCards } from './read-linked-cards.ts';
import { sendUnfurls, type UnfurlTarget } from './send-unfurls.ts';

/** A single link is shown in the size that admins chose, two or three are small; of more, only the first three. */
const MAX_UNFURLED_LINKS = 3;

type UnfurlDeps = PostedLinksDeps &
  Pick<SlackDeps, 'cardLinks' | 'settings' | 'entries' | 'directMessages' | 'adminToAsk'>;

/**
 * Unfurls card links in a message, posted or being typed.
 *
 * @throws RetryLaterError while the service or Slack can't do it
 */
export async function onLinkShared(
  deps: UnfurlDeps,
  args: LinkSharedArgs,
  user: AllowedUser,
): Promise<void> {
  const input = await linksToShow(deps, args, user);
  if (!input) return;
  await (isComposer(args)
    ? preview(deps, args, input, user.person)
    : unfurlMessage(deps, args, input, user.person));
}

async function unfurlMessage(
  deps: UnfurlDeps,
  { event, body, client }: LinkSharedArgs,
  input: LinksToShow,
  { isBot }: AllowedUser['person'],
): Promise<void> {
  const { workspaceId } = input;
  const retryAt = deps.unfurlLimit.retryAt(workspaceId);
  if (retryAt) throw new RetryLaterError(retryAt);
  // event_time is in seconds.
  const postedAt = new Date(body.event_time * 1_000);
  const showing = showPosted(deps, event, { ...input, postedAt });
  const outcome = await showing.catch((error: unknown) => {
    if (!(error instanceof NotConnectedError)) throw error;
    return error;
  });
  if (isBot || !outcome) return;
  const hint =
    outcome instanceof NotConnectedError
      ? {
          reason: 'not-connected' as const,
          words: async () =>
            linkNotShown(
              wordsForReadError(outcome, await deps.adminToAsk(client, workspaceId, event.user)),
            ),
        }
      : { reason: outcome, words: () => linkNotShown(WHY_NOT_SHOWN[outcome]) };
  await hintNotShown(deps, client, { workspaceId, event, ...hint });
}

type LinksToShow = Omit<LinksToRead, 'postedAt'> & { settings: WorkspaceSettings };

/** The card links to show; undefined if there are none. */
async function linksToShow(
  deps: UnfurlDeps,
  args: LinkSharedArgs,
  { workspaceId, person }: AllowedUser,
): Promise<LinksToShow | undefined> {
  const { event, body } = args;
  const links = cardLinksIn(event.links, deps.cardLinks.cardIdOf);
  if (links.length === 0) return undefined;
  const composer = isComposer(args);
  // The composer doesn't say in which channel.
  const settings = await deps.settings.get(workspaceId, composer ? undefined : event.channel);
  const { unfurls } = settings;
  if (unfurls === 'off') return undefined;
  // Everyone in the channel sees an unfurl, including the other company.
  const isExternal = body.is_ext_shared_channel === true;
  if (isExternal && !settings.shareExternally) {
    const words = () => linkNotShown(NOT_SHOWN_EXTERNALLY);
    if (!composer && !person.isBot) {
      const hint = { workspaceId, event, reason: 'external' as const, words };
      await hintNotShown(deps, args.client, hint);
    }
    return undefined;
  }
  return {
    client: args.client,
    workspaceId,
    settings,
    links: links.slice(0, MAX_UNFURLED_LINKS),
    moreLinks: Math.max(0, links.length - MAX_UNFURLED_LINKS),
    isExternal,
    detail: detailFor(links.length, { composer, unfurls }),
  };
}

/** Shows previews in the composer; what can't be read or shown now is left out. */
async function preview(
  deps: UnfurlDeps,
  { client, event }: LinkSharedArgs,
  input: LinksToShow,
  { role }: AllowedUser['person'],
): Promise<void> {
  const { workspaceId, settings } = input;
  // The composer doesn't say in which channel, so previews are for full members only.
  if (role === 'guest' || deps.unfurlLimit.isLimited(workspaceId)) return;
  const { shown: links, trouble } = await readCards(deps, { ...input, postedAt: undefined });
  if (trouble)
    deps.log.info({ code: trouble.code }, 'could not read a card for a composer preview');
  await sendUnfurls(deps, client, { workspaceId, settings, target: targetOf(event), links });
}

/** The composer's event has no channel or message, only an unfurl ID. */
function targetOf(event: LinkSharedArgs['event']): UnfurlTarget {
  return event.source === 'composer' && event.unfurl_id
    ? { source: 'composer', unfurl_id: event.unfurl_id }
    : { channel: event.channel, ts: event.message_ts };
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
): CardLink[] {
  const cards = new Map<string, CardLink>();
  for (const { url: postedAs } of links) {
    const url = unescapeEntities(postedAs);
    const cardId = cardIdOf(url);
    if (cardId !== undefined) cards.set(postedAs, { url, postedAs, cardId });
  }
  return [...cards.values()];
}

/** @param linkCount all card links in the message, shown or not */
export function detailFor(
  linkCount: number,
  options: { composer: boolean; unfurls: 'large' | 'small' },
): CardDetail {
  if (options.composer) return 'title';
  return linkCount === 1 ? options.unfurls : 'small';
}
