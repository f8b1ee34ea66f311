import type { FormOptions } from '../../service/cache/catalogue.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import { type ActionArgs, stringOf } from '../listener/replies.ts';
import { fillForm } from './complete-form.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';
import type { FormDeps } from './open.ts';
import { wordsForState } from './request-messages.ts';
import { buildRefusedForm } from './result-view.ts';

/** The form of a refused request, with everything that was typed. */
export function onReopen(deps: FormDeps, { action, client }: ActionArgs): ModalRequest {
  const requestId = 'value' in action ? stringOf(action.value) : undefined;
  const { partnerName } = deps;
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill({ workspaceId, person }, modal) {
      const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
      const isTheirs = request?.userId === person.id;
      if (!request || !isTheirs || request.state !== 'rejected') {
        const why = isTheirs
          ? wordsForState(request)
          : 'Only whoever made this request can correct it.';
        await modal.draw(buildNoticeView(why));
        return;
      }
      const draw = (options: FormOptions) => buildRefusedForm({ request, options, partnerName });
      const metadata = { formId: request.id };
      await fillForm(deps, client, modal, { workspaceId, metadata, draw });
    },
  };
}
