import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../workspaces/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { type LinkSharedArgs, messagePrivately, workspaceOf } from '../listeners.ts';
import { refuseReading } from '../permissions.ts';
import type { SlackClient } from '../slack-client.ts';
import { slackErrorCode, slackRetryAt } from '../slack-errors.ts';
import { wordsForReadError } from '../wording.ts';
import { readCards } from './read-cards.ts';
import { sendUnfurls, type UnfurlTarget } from './send-unfurls.ts';
import { cardLinksIn, detailFor, MOST_UNFURLED_LINKS } from './unfurl-content.ts';

type UnfurlDeps = Pick<
  SlackDeps,
  'settings' | 'cards' | 'catalogue' | 'cardLinks' | 'people' | 'hints' | 'now' | 'log'
>;

/**
 * Unfurls the card links of a message, or of one that is being written.
 *
 * @throws RetryLaterError where the service or Slack can't do it for now
 */
export async function onLinkShared(deps: UnfurlDeps, args: LinkSharedArgs): Promise<void> {
  const { event, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const settings = await deps.settings.get(workspaceId);
  const links = cardLinksIn(event.links, deps.cardLinks.cardIdOf);
  if (settings.unfurls === 'off' || links.length === 0) return;
  // Everybody in the channel sees an unfurl, the other company too.
  if (body.is_ext_shared_channel === true && !settings.shareExternally) return;

  const composer = event.source === 'composer';
  const poster = await whoPosted(deps, args);
  // The composer names no channel, so who will see it is not known: it is for full members only.
  if (refuseReading(poster, settings) || (composer && poster.role === 'guest')) return;

  try {
    const views = await readCards(deps, {
      workspaceId,
      links: links.slice(0, MOST_UNFURLED_LINKS),
      detail: detailFor(links.length, { composer, unfurls: settings.unfurls }),
      // event_time is in seconds (Slack's Events API).
      postedAt: composer ? undefined : new Date(body.event_time * 1_000),
    });
    await sendUnfurls(deps, client, targetOf(event), views);
  } catch (error) {
    if (!(error instanceof NotConnectedError)) throw error;
    if (!composer) await hintOnce(deps, client, { workspaceId, event, error });
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
  input: { workspaceId: string; event: LinkSharedArgs['event']; error: NotConnectedError },
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
