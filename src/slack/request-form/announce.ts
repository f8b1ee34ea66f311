import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import type { DesignRequest, RequestState } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall, slackRetryAt } from '../client/errors.ts';
import { MaybePostedError, type PostedMessage } from '../client/post-message.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import type { ChangesAnnounced } from '../words/messages.ts';
import { finishStep } from '../workflow-step/finish-step.ts';
import { draftOf } from './draft.ts';
import { drawForm } from './draw.ts';
import { buildOutcomeView, buildPlainNote, buildProblemNote, helpFor } from './outcome.ts';

const MAX_REMEMBERED = 10_000;

/** Their authors have something to decide. */
const ASKS_AUTHOR: ReadonlySet<RequestState> = new Set(['rejected', 'in_doubt']);

/** Shorter waits get no message, in ms. */
const MIN_ANNOUNCED_WAIT_MS = 60_000;

type Note = ReturnType<typeof buildProblemNote>;
type Send = (client: SlackClient, request: DesignRequest) => Promise<PostedMessage | undefined>;

/** @returns false if the message is gone and has to be sent again */
async function updateNote(client: SlackClient, at: PostedMessage, note: Note): Promise<boolean> {
  try {
    await client.chat.update({ ...at, ...note });
    return true;
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    return false;
  }
}

/**
 * Tells authors what happened to their requests: in the modal, if it is still open, and in a
 * message, which they are sure to see.
 */
export function createAnnouncer(deps: SlackDeps): Announcer {
  const repeated = new LRUCache<string, true>(atMost(MAX_REMEMBERED));
  const announcedWaits = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  /** Whether the request and its form are as they were drawn. A redrawn form is saved as unfinished. */
  async function isUnchanged({ workspaceId, userId, id, revision, state }: DesignRequest) {
    if (state === 'created') return true;
    const request = await deps.requests.get(workspaceId, id);
    const redrawn = await deps.unfinishedForms.get(workspaceId, userId, id);
    return request?.revision === revision && !redrawn;
  }

  async function changesAnnounced(request: DesignRequest): Promise<ChangesAnnounced> {
    const { workspaceId, cardId, message } = request;
    // Nothing is watched until the card is known.
    if (!message || cardId === undefined) return 'never';
    if ((await deps.settings.get(workspaceId)).muted) return 'never';
    if (isDirectMessage(message.channel)) return 'directly';
    const { muted } = await deps.channelSettings.get(workspaceId, message.channel);
    return muted ? 'directly' : 'in_thread';
  }

  /**
   * The form of a refused request, with the service's messages at its fields; Slack accepts field errors only in the
   * acknowledgment.
   *
   * @returns undefined if its author can't fix it, or the lists can't be loaded
   */
  async function refusedForm(client: SlackClient, request: DesignRequest) {
    const { workspaceId, id: formId, state, problem } = request;
    if (state !== 'rejected' || problem?.code === 'author_denied') return undefined;
    const options = await deps.referenceLists.formOptions(workspaceId).catch(() => undefined);
    if (!options) return undefined;
    const draft = draftOf(request.form);
    const noPostsIn = await deps.posting.channelWithoutPosts(
      { client, workspaceId },
      draft.shareIn,
    );
    const form = { formId, draft, isReturned: true, noPostsIn };
    return drawForm(await deps.savedForms.readDrawing(request, form, options), form).view;
  }

  async function showInModal(client: SlackClient, request: DesignRequest): Promise<void> {
    if (!request.viewId) return;
    // An earlier attempt may have shown the form, whose author has worked in it since.
    if (request.state === 'rejected' && !(await isUnchanged(request))) return;
    const view =
      (await refusedForm(client, request)) ??
      buildOutcomeView(
        request,
        await helpFor(deps, client, request),
        await changesAnnounced(request),
      );
    await deps.outcomes
      .of(request.viewId)(client, view, () => isUnchanged(request))
      .catch((error) =>
        deps.log.warn(
          { err: error, request: request.reference },
          'could not show an outcome in its modal',
        ),
      );
  }

  const noteAbout = async (client: SlackClient, request: DesignRequest) =>
    buildProblemNote(request, await helpFor(deps, client, request));

  /**
   * Sent once and then updated, so that the author isn't notified of every attempt. What the author has to decide is
   * sent anew, since Slack notifies nobody of an update, and takes the place of the earlier message.
   */
  async function sendOrUpdateNote(client: SlackClient, request: DesignRequest) {
    const note = await noteAbout(client, request);
    const send = async () => (await deps.directMessages.send(client, request, note)).posted;
    const earlier = request.message;
    if (!earlier) return send();
    if (!ASKS_AUTHOR.has(request.state)) {
      return (await updateNote(client, earlier, note)) ? earlier : send();
    }
    const posted = await send();
    // Slack refuses direct messages now, but may still change an earlier one.
    if (!posted) await updateNote(client, earlier, note);
    // If Slack doesn't delete it, both say the same.
    else {
      await client.chat
        .delete(earlier)
        .catch(() => client.chat.update({ ...earlier, ...note }))
        .catch((error) => deps.log.info({ err: error }, 'could not remove an earlier message'));
    }
    return posted;
  }

  /** A direct message is kept up to date; an ephemeral message can't be, so it is shown only once. */
  async function announceWait(client: SlackClient, request: DesignRequest) {
    const waitMs = (request.problem?.retryAt ?? 0) - request.createdAt.getTime();
    if (waitMs <= MIN_ANNOUNCED_WAIT_MS) return undefined;
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
      message = await deps.confirmations.post(client, request);
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
      case 'queued':
        return announceWait(client, request);
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

  async function announcePlainly(client: SlackClient, request: DesignRequest) {
    const note = buildPlainNote(request, await helpFor(deps, client, request));
    return (await deps.directMessages.send(client, request, note)).posted;
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

  const trySend = (send: Send) => async (given: DesignRequest) => {
    // As its author sees it from now on: a question about a request in doubt has its buttons.
    const request = { ...given, announcedRevision: given.revision };
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
  };

  return {
    announce: trySend(announce),
    tellPlainly: trySend(announcePlainly),
    async show(request) {
      try {
        const client = await deps.clients.of(request.workspaceId);
        await showInModal(client, request);
        const note = await noteAbout(client, request);
        if (request.message) await updateNote(client, request.message, note);
      } catch (error) {
        const about = { err: error, request: request.reference };
        deps.log.info(about, 'could not show the state of a request');
      }
    },
  };
}
