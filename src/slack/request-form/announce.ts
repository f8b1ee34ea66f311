import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import type { DesignRequest, RequestState } from '../../requests/request.ts';
import {
  createOnceMore,
  type DirectMessages,
  isDirectMessage,
  MaybePostedError,
  type PostedMessage,
} from '../client/direct-messages.ts';
import { outcomeOfCall, slackRetryAt } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { Outcomes } from '../surface/views.ts';
import type { ChangesAnnounced } from '../words/messages.ts';
import type { StepRuns } from '../workflow-step/finish-step.ts';
import type { Confirmations, Posting } from './confirmation.ts';
import { draftOf, type ListsForForms } from './draft.ts';
import { drawForm } from './form-view.ts';
import { buildOutcomeView, buildPlainNote, buildProblemNote, type HelpFor } from './outcome.ts';
import type { SavedForms } from './unfinished.ts';

/** Shows the outcome of a request in the modal that it was sent in. */
export function createShowOutcome(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  posting: Posting;
  outcomes: Outcomes;
  settings: WorkspaceSettingsStore;
  helpFor: HelpFor;
  log: Log;
}) {
  const { lists, savedForms, posting, outcomes, settings, helpFor, log } = deps;

  async function changesAnnounced(request: DesignRequest): Promise<ChangesAnnounced> {
    const { workspaceId, cardId, message } = request;
    // Nothing is watched until the card is known.
    if (!message || cardId === undefined) return 'never';
    if ((await settings.get(workspaceId)).muted) return 'never';
    if (isDirectMessage(message.channel)) return 'directly';
    const { muted } = await settings.ofChannels.get(workspaceId, message.channel);
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
    const options = await lists.options(workspaceId).catch(() => undefined);
    if (!options) return undefined;
    const draft = draftOf(request.form);
    const noPostsIn = await posting.channelWithoutPosts({ client, workspaceId }, draft.shareIn);
    const form = { formId, draft, isReturned: true, noPostsIn };
    return drawForm(await savedForms.readDrawing(request, form, options), form).view;
  }

  return async (client: SlackClient, request: DesignRequest): Promise<void> => {
    if (!request.viewId) return;
    // An earlier attempt may have shown the form, whose author has worked in it since.
    if (request.state === 'rejected' && !(await savedForms.isAsDrawn(request))) return;
    const view =
      (await refusedForm(client, request)) ??
      buildOutcomeView(request, await helpFor(client, request), await changesAnnounced(request));
    await outcomes
      .of(request.viewId)(client, view, () => savedForms.isAsDrawn(request))
      .catch((error) =>
        log.warn(
          { err: error, request: request.reference },
          'could not show an outcome in its modal',
        ),
      );
  };
}

/** Their authors have something to decide. */
const ASKS_AUTHOR: ReadonlySet<RequestState> = new Set(['rejected', 'in_doubt']);

type Note = ReturnType<typeof buildProblemNote>;

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

type Notes = ReturnType<typeof createNotes>;

/** The messages about requests that aren't cards yet. */
export function createNotes(deps: { directMessages: DirectMessages; helpFor: HelpFor; log: Log }) {
  const { directMessages, helpFor, log } = deps;

  const noteAbout = async (client: SlackClient, request: DesignRequest) =>
    buildProblemNote(request, await helpFor(client, request));

  /**
   * Sent once and then updated, so that the author isn't notified of every attempt. What the author has to decide is
   * sent anew, since Slack notifies nobody of an update, and takes the place of the earlier message.
   */
  async function sendOrUpdate(client: SlackClient, request: DesignRequest) {
    const note = await noteAbout(client, request);
    const send = async () => (await directMessages.send(client, request, note)).posted;
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
        .catch((error) => log.info({ err: error }, 'could not remove an earlier message'));
    }
    return posted;
  }

  return {
    sendOrUpdate,

    async sendPlainly(client: SlackClient, request: DesignRequest) {
      const note = buildPlainNote(request, await helpFor(client, request));
      return (await directMessages.send(client, request, note)).posted;
    },

    /** Updates the message of a request, if it has one. */
    async update(client: SlackClient, request: DesignRequest): Promise<void> {
      const note = await noteAbout(client, request);
      if (request.message) await updateNote(client, request.message, note);
    },
  };
}

const MAX_REMEMBERED = 10_000;

/** Shorter waits get no message, in ms. */
const MIN_ANNOUNCED_WAIT_MS = 60_000;

type Send = (client: SlackClient, request: DesignRequest) => Promise<PostedMessage | undefined>;

/**
 * Tells authors what happened to their requests: in the modal, if it is still open, and in a
 * message, which they are sure to see.
 */
export function createAnnouncer(deps: {
  clients: SlackClients;
  homes: Homes;
  showOutcome: ReturnType<typeof createShowOutcome>;
  notes: Notes;
  confirmations: Confirmations;
  steps: StepRuns;
  now: () => Date;
  log: Log;
}): Announcer {
  const { clients, homes, showOutcome, notes, confirmations, steps, now, log } = deps;
  const sendOnceMore = createOnceMore();
  const announcedWaits = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  /** A direct message is kept up to date; an ephemeral message can't be, so it is shown only once. */
  async function announceWait(client: SlackClient, request: DesignRequest) {
    const waitMs = (request.problem?.retryAt ?? 0) - request.createdAt.getTime();
    if (waitMs <= MIN_ANNOUNCED_WAIT_MS) return undefined;
    if (!request.message && announcedWaits.has(request.id)) return undefined;
    const posted = await notes.sendOrUpdate(client, request);
    announcedWaits.set(request.id, true);
    return posted;
  }

  /** The modal says where the confirmation is, so the confirmation is posted first. */
  async function announceCreated(client: SlackClient, request: DesignRequest) {
    let message: PostedMessage | undefined;
    try {
      if (request.message) await notes.sendOrUpdate(client, request);
      message = await confirmations.post(client, request);
      return message;
    } finally {
      await showOutcome(client, { ...request, message });
    }
  }

  async function announce(client: SlackClient, request: DesignRequest) {
    homes.requestChanged(request);
    if (request.state === 'created') return announceCreated(client, request);
    await showOutcome(client, request);
    switch (request.state) {
      case 'queued':
        return announceWait(client, request);
      case 'discarded':
        return request.message ? notes.sendOrUpdate(client, request) : undefined;
      case 'rejected':
      case 'waiting_for_key':
      case 'in_doubt':
        return notes.sendOrUpdate(client, request);
      case 'sending':
        return undefined;
    }
  }

  /** Retries anything that may work later. If Slack refuses, the author finds the request in their list. */
  const shouldRetry = ({ id, revision }: DesignRequest, error: unknown): boolean =>
    error instanceof MaybePostedError
      ? sendOnceMore(`${id}/${revision}`)
      : outcomeOfCall(error) !== 'refused';

  const trySend = (send: Send) => async (given: DesignRequest) => {
    // From now on it counts as announced, so that a question about a request in doubt has its buttons.
    const request = { ...given, announcedRevision: given.revision };
    try {
      const client = await clients.of(request.workspaceId);
      await steps.finish(client, request);
      return await send(client, request);
    } catch (error) {
      const retryAt = slackRetryAt(error, now());
      if (retryAt) throw new RetryLaterError(retryAt, { cause: error });
      if (shouldRetry(request, error)) throw error;
      log.error(
        { err: error, request: request.reference },
        'could not announce a request to its author',
      );
      return undefined;
    }
  };

  return {
    announce: trySend(announce),
    tellPlainly: trySend(notes.sendPlainly),
    async show(request) {
      try {
        const client = await clients.of(request.workspaceId);
        await showOutcome(client, request);
        await notes.update(client, request);
      } catch (error) {
        const about = { err: error, request: request.reference };
        log.info(about, 'could not show the state of a request');
      }
    },
  };
}
