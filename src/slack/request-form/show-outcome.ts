import type { ChannelSettingsStore, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { Log } from '../../ops/logging.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { Outcomes } from '../views/update-view.ts';
import type { ChangesAnnounced } from '../words/messages.ts';
import type { Posting } from './confirmation.ts';
import { draftOf, type ListsForForms } from './draft.ts';
import { drawForm } from './draw.ts';
import { buildOutcomeView, type HelpFor } from './outcome.ts';
import type { SavedForms } from './unfinished.ts';

/** Shows the outcome of a request in the modal that it was sent in. */
export function createShowOutcome(deps: {
  lists: ListsForForms;
  savedForms: SavedForms;
  posting: Posting;
  outcomes: Outcomes;
  settings: Pick<WorkspaceSettingsStore, 'get'>;
  channelSettings: Pick<ChannelSettingsStore, 'get'>;
  helpFor: HelpFor;
  log: Log;
}) {
  const { lists, savedForms, posting, outcomes, settings, channelSettings, helpFor, log } = deps;

  async function changesAnnounced(request: DesignRequest): Promise<ChangesAnnounced> {
    const { workspaceId, cardId, message } = request;
    // Nothing is watched until the card is known.
    if (!message || cardId === undefined) return 'never';
    if ((await settings.get(workspaceId)).muted) return 'never';
    if (isDirectMessage(message.channel)) return 'directly';
    const { muted } = await channelSettings.get(workspaceId, message.channel);
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
