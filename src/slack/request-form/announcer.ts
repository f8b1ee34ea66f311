import { LRUCache } from 'lru-cache';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { outcomeOfCall, slackRetryAt } from '../client/errors.ts';
import { type PostedMessage, PostedPerhapsError } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { cardUrlOf } from './card-url.ts';
import { postConfirmation } from './post-confirmation.ts';
import {
  buildConfirmation,
  buildPlainNote,
  buildProblemNote,
  type RequestMessage,
} from './request-messages.ts';
import { buildResultView } from './result-view.ts';

type AnnouncerDeps = Pick<
  SlackDeps,
  | 'catalogue'
  | 'cards'
  | 'cardLinks'
  | 'conversations'
  | 'directMessages'
  | 'outcomes'
  | 'partnerName'
  | 'now'
  | 'log'
> & { clients: SlackClients };

const REMEMBERED_MESSAGES = 10_000;
/** A wait shorter than this is not worth a message of its own, in ms. */
const WORTH_TELLING_MS = 60_000;

/** @returns false where the note is gone and has to be written anew */
async function updateNote(
  client: SlackClient,
  at: PostedMessage,
  note: RequestMessage,
): Promise<boolean> {
  try {
    await client.chat.update({ ...at, ...note });
    return true;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return false;
  }
}

/**
 * Tells authors in Slack: in the modal, if it is still open, and by a message, which alone is sure to
 * be seen.
 */
export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const repeated = new LRUCache<string, true>({ max: REMEMBERED_MESSAGES });
  const toldToWait = new LRUCache<string, true>({ max: REMEMBERED_MESSAGES });

  async function showInModal(client: SlackClient, request: DesignRequest): Promise<void> {
    if (!request.viewId) return;
    const options =
      request.state === 'rejected' && request.problem?.code !== 'author_denied'
        ? await deps.catalogue.formOptions(request.workspaceId).catch(() => undefined)
        : undefined;
    const { partnerName } = deps;
    const view = buildResultView({
      request,
      cardUrl: cardUrlOf(deps.cardLinks, request),
      dashboardUrl: deps.cardLinks.dashboardUrl,
      options,
      partnerName,
    });
    await deps.outcomes
      .draw(client, request.viewId, view)
      .catch((error) =>
        deps.log.warn({ err: error, request: request.reference }, 'a modal could not be drawn'),
      );
  }

  async function confirm(client: SlackClient, request: DesignRequest) {
    const reading =
      request.cardId === undefined
        ? undefined
        : await deps.cards
            .read(request.workspaceId, request.cardId, { class: 'posted' })
            .catch(() => undefined);
    const status = reading && 'card' in reading ? reading.card.status?.name : undefined;
    return postConfirmation(deps, client, request, (why) =>
      buildConfirmation({
        request,
        why,
        status,
        cardUrl: cardUrlOf(deps.cardLinks, request),
        dashboardUrl: deps.cardLinks.dashboardUrl,
      }),
    );
  }

  /** A note is written once and then kept current: the author is not told of every try. */
  async function writeNote(client: SlackClient, request: DesignRequest) {
    const note = buildProblemNote(request, deps.cardLinks.dashboardUrl);
    if (request.message && (await updateNote(client, request.message, note))) {
      return request.message;
    }
    return (await deps.directMessages.send(client, request, note)).posted;
  }

  /** Only a direct message can be kept current; what is shown in a channel instead is shown once. */
  async function tellToWait(client: SlackClient, request: DesignRequest) {
    if (!request.message && toldToWait.has(request.id)) return undefined;
    const posted = await writeNote(client, request);
    toldToWait.set(request.id, true);
    return posted;
  }

  async function tell(client: SlackClient, request: DesignRequest) {
    await showInModal(client, request);
    switch (request.state) {
      case 'created':
        if (request.message) await writeNote(client, request);
        return confirm(client, request);
      case 'queued': {
        // It was made in what is the future by now, where the clock was set back.
        const since = Math.min(request.createdAt.getTime(), deps.now().getTime());
        const waits = (request.problem?.retryAt ?? 0) - since;
        return waits > WORTH_TELLING_MS ? tellToWait(client, request) : undefined;
      }
      case 'discarded':
        return request.message ? writeNote(client, request) : undefined;
      case 'rejected':
      case 'waiting_for_key':
      case 'in_doubt':
        return writeNote(client, request);
      case 'sending':
        return undefined;
    }
  }

  /**
   * A message that may have been posted is sent once more: a doubled notice is better than silence,
   * many are not. One that Slack refuses is not: the author's list has the request. Anything else that
   * failed is tried until it works.
   */
  function mayBeRepeated({ id, revision }: DesignRequest, error: unknown): boolean {
    if (!(error instanceof PostedPerhapsError)) return outcomeOfCall(error) !== 'refused';
    const once = `${id}/${revision}`;
    if (repeated.has(once)) return false;
    repeated.set(once, true);
    return true;
  }

  async function asLongAsItHelps(
    request: DesignRequest,
    tellBy: (client: SlackClient, request: DesignRequest) => Promise<PostedMessage | undefined>,
  ): Promise<PostedMessage | undefined> {
    try {
      return await tellBy(await deps.clients.of(request.workspaceId), request);
    } catch (error) {
      const retryAt = slackRetryAt(error, deps.now());
      if (retryAt) throw new RetryLaterError(retryAt, { cause: error });
      if (mayBeRepeated(request, error)) throw error;
      deps.log.error({ err: error, request: request.reference }, 'nobody could be told');
      return undefined;
    }
  }

  return {
    announce: (request) => asLongAsItHelps(request, tell),
    tellPlainly: (request) =>
      asLongAsItHelps(request, async (client) => {
        const { posted } = await deps.directMessages.send(client, request, buildPlainNote(request));
        return posted;
      }),
  };
}
