import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { CardLinks } from '../../references.ts';
import type { Announcer } from '../../requests/announce-request.ts';
import { draftOf } from '../../requests/match-lists.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { ReferenceLists } from '../../service/cache/reference-lists.ts';
import { type DirectMessages, isDirectMessage } from '../client/direct-messages.ts';
import { outcomeOfCall } from '../client/errors.ts';
import { MaybePostedError, updateMessage } from '../client/post-message.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Homes } from '../home/homes.ts';
import type { AccessControl } from '../interaction/access.ts';
import type { Outcomes } from '../interaction/views.ts';
import { plainNote, wordsForRequest, wordsForSent } from '../words/messages.ts';
import type { WorkflowStep } from '../workflow-step/create-request.ts';
import type { Confirmations } from './confirmation.ts';
import { buildNoticeView } from './form-view.ts';
import type { Forms } from './forms.ts';
import { buildOutcomeView, buildProblemNote, canAdminHelp } from './outcome.ts';

/** Shorter waits get no message, in ms. */
const MIN_ANNOUNCED_WAIT_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Tells authors what became of their requests: in the modal, if still open, and in a message. */
export function createAnnouncer(deps: {
  clients: SlackClients;
  directMessages: DirectMessages;
  settings: WorkspaceSettingsStore;
  homes: Homes;
  referenceLists: Pick<ReferenceLists, 'formOptions'>;
  forms: Forms;
  outcomes: Outcomes;
  access: AccessControl;
  cards: CardLinks;
  confirmations: Confirmations;
  workflowStep: Pick<WorkflowStep, 'finish'>;
  log: Log;
}): Announcer {
  const { clients, directMessages, settings, homes, referenceLists, forms, outcomes } = deps;
  const { access, cards, confirmations, workflowStep, log } = deps;
  const announcedWaits = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  const adminFor = async (client: SlackClient, request: DesignRequest) =>
    canAdminHelp(request) ? access.adminToAsk({ ...request, client }) : undefined;

  /** Where the confirmation is, and how its author hears of changes to the card. */
  async function postedAs({ workspaceId, cardId, message }: DesignRequest) {
    if (!message) return undefined;
    const isDirect = isDirectMessage(message.channel);
    const channel = isDirect ? undefined : `<#${message.channel}>`;
    // Nothing is watched until the card is known.
    const isMuted = cardId === undefined || (await settings.get(workspaceId)).muted;
    if (isMuted) return { channel, changes: 'never' as const };
    const { ofChannels } = settings;
    const isToldDirectly = isDirect || (await ofChannels.get(workspaceId, message.channel)).muted;
    return { channel, changes: isToldDirectly ? ('directly' as const) : ('in_thread' as const) };
  }

  async function outcomeView(client: SlackClient, request: DesignRequest): Promise<ModalView> {
    if (request.state === 'created') {
      return buildNoticeView(wordsForSent(request.form.isDraft, await postedAs(request)));
    }
    const form = await refusedForm(client, request);
    return form ?? buildOutcomeView(request, cards.dashboardUrl, await adminFor(client, request));
  }

  /**
   * With the service's messages at its fields: Slack takes errors only in the acknowledgment. Undefined if its author
   * can't fix it, or the lists can't be loaded.
   */
  async function refusedForm(client: SlackClient, request: DesignRequest) {
    const { workspaceId, userId, id: formId, state, problem } = request;
    if (state !== 'rejected' || problem?.code === 'author_denied') return undefined;
    const options = await referenceLists.formOptions(workspaceId).catch(() => undefined);
    if (!options) return undefined;
    const form = { formId, draft: draftOf(request.form), isReturned: true };
    return (await forms.draw({ client, workspaceId, userId }, form, options)).view;
  }

  async function showOutcome(client: SlackClient, request: DesignRequest): Promise<void> {
    if (!request.viewId) return;
    // An earlier attempt may have shown the form, whose author has worked in it since.
    if (request.state === 'rejected' && !(await forms.isUnchanged(request))) return;
    const view = await outcomeView(client, request);
    const draw = outcomes.of(request.viewId);
    await draw(client, view, () => forms.isUnchanged(request)).catch((error) => {
      const about = { err: error, request: request.reference };
      log.warn(about, 'could not show an outcome in its modal');
    });
  }

  const buildNote = async (client: SlackClient, request: DesignRequest) =>
    buildProblemNote(request, cards.dashboardUrl, await adminFor(client, request));

  /** @returns false if there is no message, or it is gone */
  async function updateNote(client: SlackClient, request: DesignRequest): Promise<boolean> {
    if (!request.message) return false;
    const note = await buildNote(client, request);
    try {
      await updateMessage(client, request.message, note);
      return true;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      return false;
    }
  }

  /**
   * The message about a request that isn't a card yet: updated, so that attempts notify nobody.
   * What the author has to decide is sent anew, to notify them, and replaces the earlier message.
   */
  async function sendNote(client: SlackClient, request: DesignRequest) {
    const { state, message: earlier } = request;
    const asksAuthor = state === 'rejected' || state === 'in_doubt';
    if (!asksAuthor && (await updateNote(client, request))) return earlier;
    const { posted } = await directMessages.send(client, request, await buildNote(client, request));
    if (earlier && posted) {
      await client.chat
        .delete({ channel: earlier.channel, ts: earlier.ts })
        .catch((error) => log.info({ err: error }, 'could not remove an earlier message'));
    }
    return posted;
  }

  /** A direct message is kept up to date; an ephemeral message can't be, so it is shown only once. */
  async function announceWait(client: SlackClient, request: DesignRequest) {
    const waitMs = (request.problem?.retryAt ?? 0) - request.createdAt.getTime();
    if (waitMs <= MIN_ANNOUNCED_WAIT_MS) return undefined;
    if (!request.message && announcedWaits.has(request.id)) return undefined;
    const posted = await sendNote(client, request);
    announcedWaits.set(request.id, true);
    return posted;
  }

  /** The note without anything that the author typed. */
  async function sendPlainly(client: SlackClient, request: DesignRequest) {
    const words = wordsForRequest(request, await adminFor(client, request));
    const text = plainNote(request.reference, words);
    return (await directMessages.send(client, request, { text })).posted;
  }

  async function announce(client: SlackClient, request: DesignRequest) {
    const { state, message } = request;
    homes.requestChanged(request);
    if (state === 'created') return announceCreated(client, request);
    await showOutcome(client, request);
    if (state === 'queued') return announceWait(client, request);
    const isNoted = state !== 'sending' && (state !== 'discarded' || message);
    return isNoted ? sendNote(client, request) : undefined;
  }

  /** The modal says where the confirmation is, so the confirmation is posted first. */
  async function announceCreated(client: SlackClient, request: DesignRequest) {
    let message: DesignRequest['message'];
    try {
      await updateNote(client, request);
      message = await confirmations.post(client, request);
      return message;
    } finally {
      await showOutcome(client, { ...request, message });
    }
  }

  const trySend = (send: typeof announce) => async (given: DesignRequest) => {
    // The request counts as announced, or `isBeingChecked` would hide the question's buttons.
    const request = { ...given, announcedRevision: given.revision };
    try {
      const client = await clients.of(request.workspaceId);
      await workflowStep.finish(client, request);
      return await send(client, request);
    } catch (error) {
      const { id, revision, reference } = request;
      const isWorthRetrying =
        error instanceof MaybePostedError
          ? directMessages.mayRepeat(`${id}/${revision}`)
          : outcomeOfCall(error) !== 'refused';
      if (isWorthRetrying) throw error;
      // The author finds the request in their list.
      log.error({ err: error, request: reference }, 'could not announce a request to its author');
      return undefined;
    }
  };

  return {
    announce: trySend(announce),
    tellPlainly: trySend(sendPlainly),
    async show(request) {
      try {
        const client = await clients.of(request.workspaceId);
        await showOutcome(client, request);
        await updateNote(client, request);
      } catch (error) {
        const about = { err: error, request: request.reference };
        log.info(about, 'could not show the state of a request');
      }
    },
  };
}
