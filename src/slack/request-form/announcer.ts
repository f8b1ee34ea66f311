import { LRUCache } from 'lru-cache';
import { upTo } from '../../bounded.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { SlackDeps } from '../deps.ts';
import { type PostedMessage, PostedPerhapsError, postMessage } from '../post-message.ts';
import type { SlackClient, SlackClients } from '../slack-client.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../slack-errors.ts';
import { updateView } from '../views/update-view.ts';
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
  'catalogue' | 'cards' | 'cardLinks' | 'conversations' | 'partnerName' | 'now' | 'log'
> & { clients: SlackClients };

const REPEATED_MESSAGES = 10_000;
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
    if (slackErrorCode(error) === undefined) throw error;
    return false;
  }
}

/**
 * Tells authors in Slack: in the modal, if it is still open, and by a message, which alone is sure to
 * be seen.
 */
export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const repeated = new LRUCache<string, true>(upTo(REPEATED_MESSAGES));

  async function showInModal(client: SlackClient, request: DesignRequest): Promise<void> {
    if (!request.viewId) return;
    const options =
      request.state === 'rejected'
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
    await updateView(client, { viewId: request.viewId, view }).catch((error) =>
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
    return postMessage(client, request.userId, note);
  }

  async function tell(client: SlackClient, request: DesignRequest) {
    await showInModal(client, request);
    switch (request.state) {
      case 'created':
        if (request.message) await writeNote(client, request);
        return confirm(client, request);
      case 'queued': {
        const waits = (request.problem?.retryAt ?? 0) - request.createdAt.getTime();
        return waits > WORTH_TELLING_MS ? writeNote(client, request) : undefined;
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
   * many are not. One that Slack refuses is not: the request stands in its author's list. Anything
   * else that failed is tried until it works.
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
      asLongAsItHelps(request, (client) =>
        postMessage(client, request.userId, buildPlainNote(request)),
      ),
    async redraw(request) {
      await showInModal(await deps.clients.of(request.workspaceId), request);
    },
  };
}
