import type { FormOptions } from '../../catalogue/catalogue.ts';
import type { SlackDeps } from '../deps.ts';
import { type ActionArgs, replyPrivately, stringOf, workspaceOf } from '../listeners.ts';
import { letBrandsFollow } from './brands-follow.ts';
import { buildLoadingView } from './modal.ts';
import { completeForm, type FormDeps } from './open.ts';
import { wordsForState } from './request-messages.ts';
import { buildRefusedForm } from './result-view.ts';

type ReopenDeps = FormDeps & Pick<SlackDeps, 'requests'>;

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
    const draw = (options: FormOptions) => buildRefusedForm({ request, options, partnerName });
    const { view: shown } = await client.views.open({ ...trigger, view: draw(ready) });
    return letBrandsFollow(deps, client, { workspaceId, options: ready, shown, draw });
  }
  const metadata = { formId: request.id };
  const opened = await client.views.open({ ...trigger, view: buildLoadingView(metadata) });
  const { view } = opened;
  await completeForm(deps, client, { workspaceId, metadata, view, returned: request });
}
