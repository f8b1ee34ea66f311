import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import type { DesignRequest, RequestState } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackRetryAt } from '../client/errors.ts';
import { MaybePostedError, type PostedMessage } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { ChangesTold } from '../words/messages.ts';
import { confirmationOf } from '../work-object/confirmation.ts';
import { finishStep } from '../workflow-step/finish-step.ts';
import { adminFor } from './admin-for.ts';
import { channelWithoutPosts, postConfirmation } from './post-confirmation.ts';
import { buildPlainNote, buildProblemNote, type RequestMessage } from './request-messages.ts';
import { buildResultView } from './result-view.ts';

type AnnouncerDeps = Pick<
  SlackDeps,
  | 'referenceLists'
  | 'cards'
  | 'cardLinks'
  | 'channelSettings'
  | 'settings'
  | 'workObjects'
  | 'conversations'
  | 'directMessages'
  | 'adminToAsk'
  | 'homes'
  | 'jobs'
  | 'outcomes'
  | 'requests'
  | 'unfinishedForms'
  | 'formFiles'
  | 'partnerName'
  | 'now'
  | 'log'
> & { clients: SlackClients };

const MAX_REMEMBERED = 10_000;

/** Their authors have something to decide. */
const ASKS_AUTHOR: ReadonlySet<RequestState> = new Set(['rejected', 'in_doubt']);

/** Shorter waits get no message, in ms. */
const MIN_ANNOUNCED_WAIT_MS = 60_000;

/** @returns false if the message is gone and has to be sent again */
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

/** As its author sees it from now on: a question about a request in doubt has its buttons. */
const asAnnounced = (request: DesignRequest): DesignRequest => ({
  ...request,
  announcedRevision: request.revision,
});

/**
 * Tells authors what happened to their requests: in the modal, if it is still open, and in a
 * message, which they are sure to see.
 */
export function createAnnouncer(deps: AnnouncerDeps): Announcer {
  const repeated = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  const announcedWaits = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  /** Whether the request and its form are as they were drawn. A redrawn form is saved as unfinished. */
  async function isUnchanged({ workspaceId, userId, id, revision, state }: DesignRequest) {
    if (state === 'created') return true;
    const request = await deps.requests.get(workspaceId, id);
    const redrawn = await deps.unfinishedForms.get(workspaceId, userId, id);
    return request?.revision === revision && !redrawn;
  }

  async function changesTold({
    workspaceId,
    cardId,
    message,
  }: DesignRequest): Promise<ChangesTold> {
    // Nothing is watched until the card is known.
    if (!message || cardId === undefined) return 'never';
    if ((await deps.settings.get(workspaceId)).muted) return 'never';
    if (isDirectMessage(message.channel)) return 'directly';
    const { muted } = await deps.channelSettings.get(workspaceId, message.channel);
    return muted ? 'directly' : 'in_thread';
  }

  async function showInModal(client: SlackClient, request: DesignRequest): Promise<void> {
    if (!request.viewId) return;
    // An earlier attempt may have shown the form, whose author has worked in it since.
    if (request.state === 'rejected' && !(await isUnchanged(request))) return;
    const options =
      request.state === 'rejected' && request.problem?.code !== 'author_denied'
        ? await deps.referenceLists.formOptions(request.workspaceId).catch(() => undefined)
        : undefined;
    const { partnerName } = deps;
    const admin = await adminFor(deps, client, request);
    const { workspaceId, form } = request;
    const files = options && (await deps.formFiles.of(workspaceId));
    const noPostsIn =
      options && (await channelWithoutPosts(deps, client, workspaceId, form.shareIn));
    const changes = await changesTold(request);
    const { dashboardUrl } = deps.cardLinks;
    const about = { request, options, partnerName, files, noPostsIn, admin, changes };
    const view = buildResultView({ ...about, dashboardUrl });
    await deps.outcomes
      .draw(client, request.viewId, view, () => isUnchanged(request))
      .catch((error) =>
        deps.log.warn(
          { err: error, request: request.reference },
          'could not show an outcome in its modal',
        ),
      );
  }

  async function announceCard(client: SlackClient, request: DesignRequest) {
    const reading =
      request.cardId === undefined
        ? undefined
        : await deps.cards
            .read(request.workspaceId, request.cardId, { class: 'posted' })
            .catch(() => undefined);
    const card = reading && 'card' in reading ? reading.card : undefined;
    return postConfirmation(deps, client, request, await confirmationOf(deps, request, card));
  }

  /** Deletes what another note has replaced; if Slack doesn't, both say the same. Never rejects. */
  async function removeNote(client: SlackClient, at: PostedMessage, note: RequestMessage) {
    await client.chat
      .delete(at)
      .catch(() => client.chat.update({ ...at, ...note }))
      .catch((error) => deps.log.info({ err: error }, 'could not remove an earlier message'));
  }

  /**
   * Sent once and then updated, so that the author isn't notified of every attempt. What the author has to decide is
   * sent anew, since Slack notifies nobody of an update, and takes the place of the earlier message.
   */
  async function sendOrUpdateNote(client: SlackClient, request: DesignRequest) {
    const { dashboardUrl } = deps.cardLinks;
    const admin = await adminFor(deps, client, request);
    const note = buildProblemNote(request, { dashboardUrl, admin });
    const send = async () => (await deps.directMessages.send(client, request, note)).posted;
    const earlier = request.message;
    if (!earlier) return send();
    if (!ASKS_AUTHOR.has(request.state)) {
      return (await updateNote(client, earlier, note)) ? earlier : send();
    }
    const posted = await send();
    if (posted) await removeNote(client, earlier, note);
    // Slack refuses direct messages now, but may still change an earlier one.
    else await updateNote(client, earlier, note);
    return posted;
  }

  /**
   * A direct message is kept up to date; an ephemeral message can't be, so it is shown only once.
   */
  async function announceWait(client: SlackClient, request: DesignRequest) {
    if (!request.message && announcedWaits.has(request.id)) return undefined;
    const posted = await sendOrUpdateNote(client, request);
    announcedWaits.set(request.id, true);
    return posted;
  }

  /** The modal says where the confirmation is, so that comes first. */
  async function announceCreated(client: SlackClient, request: DesignRequest) {
    let message: PostedMessage | undefined;
    try {
      if (request.message) await sendOrUpdateNote(client, request);
      message = await announceCard(client, request);
      return message;
    } finally {
      await showInModal(client, { ...request, message });
    }
  }

  async function announce(client: SlackClient, request: DesignRequest) {
    deps.homes.requestChanged(request);
    if (request.state === 'created') return announceCreated(client, request);
    await showInModal(client, request);
    switch (request.state) {
      case 'queued': {
        const wait = (request.problem?.retryAt ?? 0) - request.createdAt.getTime();
        return wait > MIN_ANNOUNCED_WAIT_MS ? announceWait(client, request) : undefined;
      }
      case 'discarded':
        return request.message ? sendOrUpdateNote(client, request) : undefined;
      case 'rejected':
      case 'waiting_for_key':
      case 'in_doubt':
        return sendOrUpdateNote(client, request);
      case 'sending':
        return undefined;
    }
  }

  /**
   * Retries anything that may work later. A message that may have been posted is sent once more: a
   * duplicate is better than silence. If Slack refuses, the author finds the request in their list.
   */
  function shouldRetry({ id, revision }: DesignRequest, error: unknown): boolean {
    if (!(error instanceof MaybePostedError)) return outcomeOfCall(error) !== 'refused';
    const once = `${id}/${revision}`;
    if (repeated.has(once)) return false;
    repeated.set(once, true);
    return true;
  }

  async function trySend(
    request: DesignRequest,
    send: (client: SlackClient, request: DesignRequest) => Promise<PostedMessage | undefined>,
  ): Promise<PostedMessage | undefined> {
    try {
      const client = await deps.clients.of(request.workspaceId);
      await finishStep(deps, client, request);
      return await send(client, request);
    } catch (error) {
      const retryAt = slackRetryAt(error, deps.now());
      if (retryAt) throw new RetryLaterError(retryAt, { cause: error });
      if (shouldRetry(request, error)) throw error;
      deps.log.error(
        { err: error, request: request.reference },
        'could not announce a request to its author',
      );
      return undefined;
    }
  }

  return {
    announce: (request) => trySend(asAnnounced(request), announce),
    tellPlainly: (request) =>
      trySend(asAnnounced(request), async (client, told) => {
        const note = buildPlainNote(told, await adminFor(deps, client, told));
        const { posted } = await deps.directMessages.send(client, told, note);
        return posted;
      }),
    async show(request) {
      try {
        const client = await deps.clients.of(request.workspaceId);
        await showInModal(client, request);
        const { dashboardUrl } = deps.cardLinks;
        const admin = await adminFor(deps, client, request);
        const note = buildProblemNote(request, { dashboardUrl, admin });
        if (request.message) await updateNote(client, request.message, note);
      } catch (error) {
        const about = { err: error, request: request.reference };
        deps.log.info(about, 'could not show the state of a request');
      }
    },
  };
}
