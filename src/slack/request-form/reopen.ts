import type { FormOptions } from '../../service/cache/catalogue.ts';
import type { ModalRequest } from '../listener/open-modal.ts';
import { type ActionArgs, stringOf } from '../listener/replies.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES } from '../words/request-form.ts';
import { type CompleteDeps, fillForm } from './complete-form.ts';
import { buildLoadingView, buildNoticeView } from './modal.ts';
import { buildRefusedForm } from './result-view.ts';

/** Reopens the form of a refused request with everything that was typed. */
export function onReopen(deps: CompleteDeps, { action, client }: ActionArgs): ModalRequest {
  const requestId = 'value' in action ? stringOf(action.value) : undefined;
  const { partnerName } = deps;
  return {
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill({ workspaceId, person }, modal) {
      const request = requestId ? await deps.requests.get(workspaceId, requestId) : undefined;
      const isAuthor = request?.userId === person.id;
      if (!request || !isAuthor || request.state !== 'rejected') {
        const why = isAuthor ? wordsForState(request) : NOTICES.notYourRequest;
        await modal.draw(buildNoticeView(why));
        return;
      }
      const draw = (options: FormOptions) => buildRefusedForm({ request, options, partnerName });
      const metadata = { formId: request.id };
      await fillForm(deps, client, modal, { workspaceId, metadata, draw });
    },
  };
}
