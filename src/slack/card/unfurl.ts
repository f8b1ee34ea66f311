import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { WorkspaceSettings } from '../../store/workspace-settings.ts';
import { NotConnectedError } from '../../workspaces/service-access.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import { type LinkSharedArgs, messagePrivately, workspaceOf } from '../listeners.ts';
import { refuseReading } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { slackErrorCode, slackRetryAt } from '../slack-errors.ts';
import { wordsForReadError } from '../wording.ts';
import { createPostedLinks, type PostedLinksDeps } from './posted-links.ts';
import { type LinksToRead, readCards } from './read-cards.ts';
import { sendUnfurls, type UnfurlTarget } from './send-unfurls.ts';
import { cardLinksIn, detailFor, MOST_UNFURLED_LINKS } from './unfurl-content.ts';

type UnfurlDeps = PostedLinksDeps & Pick<SlackDeps, 'settings' | 'cardLinks' | 'people' | 'hints'>;

/**
 * Makes what unfurls the card links of a message, or of one that is being written. It throws
 * RetryLaterError where the service or Slack can't do it for now.
 */
export function createLinkShared(deps: UnfurlDeps): (args: LinkSharedArgs) => Promise<void> {
  const showPosted = createPostedLinks(deps);

  async function unfurlMessage(args: LinkSharedArgs, input: LinksOfEvent): Promise<void> {
    const { event, body, client, context } = args;
    const { workspaceId } = input;
    const endTurn = takeTurn(deps, workspaceId, context.postponedTo);
    try {
      if (refuseReading(await whoPosted(deps, args), input.settings)) return;
      // event_time is in seconds (Slack's Events API).
      await showPosted(client, event, { ...input, postedAt: new Date(body.event_time * 1_000) });
    } catch (error) {
      if (!(error instanceof NotConnectedError)) throw error;
      await hintOnce(deps, client, { workspaceId, event, error });
    } finally {
      endTurn();
    }
  }

  return async (args) => {
    const input = await linksToShow(deps, args);
    if (!input) return;
    await (isComposer(args) ? preview(deps, args, input) : unfurlMessage(args, input));
  };
}

type LinksOfEvent = Omit<LinksToRead, 'postedAt'> & { settings: WorkspaceSettings };

const isComposer = ({ event }: LinkSharedArgs) => event.source === 'composer';

/** The card links that the event's place may show; undefined where there are none. */
async function linksToShow(
  deps: UnfurlDeps,
  args: LinkSharedArgs,
): Promise<LinksOfEvent | undefined> {
  const { event, body, context } = args;
  const workspaceId = workspaceOf(context);
  const settings = await deps.settings.get(workspaceId);
  const { unfurls } = settings;
  const links = cardLinksIn(event.links, deps.cardLinks.cardIdOf);
  if (unfurls === 'off' || links.length === 0) return undefined;
  // Everybody in the channel sees an unfurl, the other company too.
  if (body.is_ext_shared_channel === true && !settings.shareExternally) return undefined;
  return {
    ...{ workspaceId, settings },
    links: links.slice(0, MOST_UNFURLED_LINKS),
    detail: detailFor(links.length, { composer: isComposer(args), unfurls }),
  };
}

/** @throws RetryLaterError where unfurls of the workspace go one by one and it is another one's turn */
function takeTurn(
  { unfurlTurns }: UnfurlDeps,
  workspaceId: WorkspaceId,
  postponedTo: unknown,
): () => void {
  const before = postponedTo instanceof Date ? postponedTo : undefined;
  const turn = unfurlTurns.take(workspaceId, before);
  if (turn instanceof Date) throw new RetryLaterError(turn);
  return turn;
}

/** Nobody waits for a preview: what can't be read or shown now is left out. */
async function preview(deps: UnfurlDeps, args: LinkSharedArgs, input: LinksOfEvent): Promise<void> {
  const { workspaceId, settings } = input;
  if (!deps.unfurlTurns.isFree(workspaceId)) return;
  try {
    const poster = await whoPosted(deps, args);
    // The composer names no channel, so who will see it is not known: it is for full members only.
    if (refuseReading(poster, settings) || poster.role === 'guest') return;
    const { shown, trouble } = await readCards(deps, { ...input, postedAt: undefined });
    if (trouble) deps.log.info({ code: trouble.code }, 'a card could not be previewed');
    const links = shown.filter((link) => 'card' in link);
    await sendUnfurls(deps, args.client, { workspaceId, target: targetOf(args.event), links });
  } catch (error) {
    const isLeftOut = error instanceof NotConnectedError || error instanceof RetryLaterError;
    if (!isLeftOut) throw error;
  }
}

async function whoPosted(deps: UnfurlDeps, { event, client, context }: LinkSharedArgs) {
  try {
    return await deps.people.whoIs(client, workspaceOf(context), event.user);
  } catch (error) {
    const retryAt = slackRetryAt(error, deps.now());
    throw retryAt ? new RetryLaterError(retryAt, { cause: error }) : error;
  }
}

/** The composer's event names no channel and no message, only the unfurl itself. */
function targetOf(event: LinkSharedArgs['event']): UnfurlTarget {
  return event.source === 'composer' && event.unfurl_id
    ? { source: 'composer', unfurl_id: event.unfurl_id }
    : { channel: event.channel, ts: event.message_ts };
}

async function hintOnce(
  deps: Pick<UnfurlDeps, 'hints' | 'now' | 'log'>,
  client: SlackClient,
  input: { workspaceId: WorkspaceId; event: LinkSharedArgs['event']; error: NotConnectedError },
): Promise<void> {
  const { workspaceId, event, error } = input;
  const turn = await deps.hints.takeTurn(workspaceId, event.user, 'not-connected', deps.now());
  if (!turn) return;
  const text = `That card link can’t be shown here yet. ${wordsForReadError(error)}`;
  try {
    await client.chat.postEphemeral({ channel: event.channel, user: event.user, text });
  } catch (refused) {
    // The app hears of links in channels that it is not in, but can't speak there.
    deps.log.debug({ code: slackErrorCode(refused) }, 'the hint goes to the direct messages');
    await messagePrivately(client, event.user, text);
  }
}
