import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listeners.ts';
import { wordsForAnyTrouble } from '../service-trouble.ts';
import { updateView } from '../views/update-view.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';
import { wordsForState } from './request-messages.ts';
import { buildRefusedForm } from './result-view.ts';

type ReopenDeps = Pick<SlackDeps, 'requests' | 'catalogue' | 'partnerName' | 'log'>;

/** Opens the form of a refused request again, with everything that was typed. */
export async function onReopen(deps: ReopenDeps, args: ActionArgs): Promise<void> {
  const { action, body, client, context } = args;
  const workspaceId = workspaceOf(context);
  const requestId = 'value' in action ? stringOf(action.value) : undefined;
  const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
  if (!request || request.userId !== body.user.id) {
    return replyPrivately(args, 'Only whoever made this request can correct it.');
  }
  if (request.state !== 'rejected') return replyPrivately(args, wordsForState(request));

  const { partnerName } = deps;
  const trigger = { trigger_id: body.trigger_id };
  const ready = await deps.catalogue.peekFormOptions(workspaceId);
  if (ready) {
    const view = buildRefusedForm({ request, options: ready, partnerName });
    await client.views.open({ ...trigger, view });
    return;
  }
  const opened = await client.views.open({
    ...trigger,
    view: buildLoadingView({ formId: request.id }),
  });
  if (!opened.view?.id) return;
  const view = await deps.catalogue.formOptions(workspaceId).then(
    (options) => buildRefusedForm({ request, options, partnerName }),
    (error) => buildNoticeView(wordsForAnyTrouble(deps.log, error)),
  );
  await updateView(client, { viewId: opened.view.id, hash: opened.view.hash, view });
}
