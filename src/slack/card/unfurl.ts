import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../references.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { type Entries, onceKind } from '../../store/entries.ts';
import type { DirectMessages } from '../client/direct-messages.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { AccessControl, AllowedUser } from '../surface/access.ts';
import { isComposer, type LinkSharedArgs } from '../surface/replies.ts';
import { unescapeEntities } from '../text/escape.ts';
import { linkNotShown, WHY_NOT_SHOWN } from '../words/card.ts';
import { wordsForReadError } from '../words/errors.ts';
import type { CardDetail } from './card-view.ts';
import type { CardLink, ShowLinks } from './show-links.ts';

/** A single link is shown in the size that admins chose, two or three are small; of more, only the first three. */
const MAX_UNFURLED_LINKS = 3;

type UnfurlDeps = {
  settings: WorkspaceSettingsStore;
  cards: CardLinks;
  showLinks: ShowLinks;
  hintNotShown: ReturnType<typeof createHintNotShown>;
};

export const createUnfurlHandler =
  (deps: UnfurlDeps) =>
  (args: LinkSharedArgs, user: AllowedUser): Promise<void> =>
    onLinkShared(deps, args, user);

/**
 * Unfurls card links in a message, posted or being typed.
 *
 * @throws RetryLaterError while the service or Slack can't do it
 */
async function onLinkShared(
  deps: UnfurlDeps,
  args: LinkSharedArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const { event, body, client } = args;
  const links = cardLinksIn(event.links, deps.cards.cardIdOf);
  if (links.length === 0) return;
  const composer = isComposer(args);
  // The composer doesn't say in which channel.
  const settings = await deps.settings.get(workspaceId, composer ? undefined : event.channel);
  const { unfurls, shareExternally } = settings;
  if (unfurls === 'off') return;
  const isExternal = body.is_ext_shared_channel === true;
  const toShow = {
    ...{ client, workspaceId, settings, isExternal },
    links: links.slice(0, MAX_UNFURLED_LINKS),
    moreLinks: Math.max(0, links.length - MAX_UNFURLED_LINKS),
    detail: detailFor(links.length, { composer, unfurls }),
  };
  // Everyone in the channel sees an unfurl, including the other company.
  const isHidden = isExternal && !shareExternally;
  if (composer) {
    // It isn't known who will see them, so previews are for full members only.
    if (!isHidden && person.role !== 'guest') await deps.showLinks.preview(event, toShow);
    return;
  }
  // event_time is in seconds.
  const postedAt = new Date(body.event_time * 1_000);
  const why = isHidden
    ? 'external'
    : await deps.showLinks.post(event, { ...toShow, postedAt }).catch((error: unknown) => {
        if (!(error instanceof NotConnectedError)) throw error;
        return error;
      });
  if (why && !person.isBot) await deps.hintNotShown(args, workspaceId, why);
}

/** The reasons that people were given, by channel. */
const NOT_SHOWN = onceKind('link_not_shown');

type Why = keyof typeof WHY_NOT_SHOWN | NotConnectedError;

const reasonOf = (why: Why) => (typeof why === 'string' ? why : 'not-connected');

/**
 * Tells the person who posted a link why nothing is shown, so that only they see it: once for each reason and channel.
 * If the app isn't in the channel, that fails, and is tried again with their next link; only a reason that someone can
 * fix for all channels is sent as a direct message instead.
 */
export function createHintNotShown(deps: {
  entries: Entries;
  access: AccessControl;
  directMessages: DirectMessages;
  now: () => Date;
  log: Log;
}) {
  const { entries, access, directMessages, now, log } = deps;
  return async (
    { event, client }: LinkSharedArgs,
    workspaceId: WorkspaceId,
    why: Why,
  ): Promise<void> => {
    const { user, channel, thread_ts } = event;
    const thread = thread_ts === undefined ? {} : { thread_ts };
    const reason = reasonOf(why);
    const hint = { kind: NOT_SHOWN, owner: workspaceId, name: `${user}/${reason}/${channel}` };
    if (!(await entries.takeOnce(hint, now()))) return;
    const text = linkNotShown(
      typeof why === 'string'
        ? WHY_NOT_SHOWN[why]
        : wordsForReadError(why, await access.adminToAsk(client, workspaceId, user)),
    );
    const withNextLink = async (error: unknown) => {
      log.info(
        { err: error, reason },
        'could not say why a link isn’t shown; the next link tries again',
      );
      await entries.remove(hint);
    };
    try {
      await client.chat.postEphemeral({ channel, user, text, ...thread });
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') return withNextLink(error);
      log.debug({ code: slackErrorCode(error), reason }, 'could not post a hint in the channel');
      if (reason !== 'not-connected') return withNextLink(error);
      await directMessages
        .send(client, { workspaceId, userId: user }, { text })
        .catch(withNextLink);
    }
  };
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
