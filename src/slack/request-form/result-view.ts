import type { ModalView } from '@slack/types';
import { type DesignRequest, isBeingChecked } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { isDirectMessage } from '../client/direct-messages.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import type { AdminToAsk } from '../words/errors.ts';
import { CHECKING_ON } from '../words/in-doubt.ts';
import { type ChangesTold, wordsForRequest, wordsForSent } from '../words/messages.ts';
import { RETURNED } from '../words/request-form.ts';
import { onlyOffered } from './changed-form.ts';
import { chosenType, draftOf, type FormContext, type FormFiles } from './draft.ts';
import { buildFormView, buildNoticeView } from './modal.ts';
import { missingFields, problemsFromService } from './parse.ts';
import { buttons, choicesFor } from './request-messages.ts';

/**
 * The modal once the outcome is known. For a refused request it is the form again, with the
 * service's messages at their fields; Slack accepts field errors only in the acknowledgment.
 *
 * @param props.options undefined if they can't be loaded or the author has no access
 */
export function buildResultView(props: {
  request: DesignRequest;
  dashboardUrl: string;
  options: FormOptions | undefined;
  partnerName: string | undefined;
  files: FormFiles | undefined;
  noPostsIn?: string | undefined;
  admin?: AdminToAsk;
  changes?: ChangesTold;
}): ModalView {
  const { request, options, partnerName, files, noPostsIn } = props;
  if (request.state === 'rejected' && options) {
    return buildRefusedForm({ request, options, partnerName, files, noPostsIn });
  }
  return buildNoticeView(resultWords(props), { buttons: buttons(choicesFor(request, props)) });
}

/** The form with everything that was typed, and the service's messages. */
export function buildRefusedForm(
  props: Omit<FormContext, 'draft'> & { request: DesignRequest },
): ModalView {
  const { request, ...lists } = props;
  const draft = draftOf(request.form);
  const refusal = refusalOf(request, { ...lists, draft });
  return buildFormView({ ...lists, formId: request.id, draft, ...refusal });
}

/** What is wrong with a form that came back, as long as it has the type that it came back with. */
export function refusalFor(returned: DesignRequest | undefined, form: FormContext) {
  if (!returned) return {};
  const draft = draftOf(returned.form);
  const type = chosenType({ ...form, draft }) ?? draft.requestType;
  return type?.id === form.draft.requestType?.id ? refusalOf(returned, form) : {};
}

/** What to show above the form of a request that came back, and at its fields. */
function refusalOf(request: DesignRequest, form: FormContext) {
  if (request.problem?.code === 'incomplete') {
    const requestType = chosenType(form);
    const problems = missingFields({ ...onlyOffered(form), requestType });
    return { problems, notice: requestType ? wordsForRequest(request) : RETURNED.chooseType };
  }
  const { problems, others } = problemsFromService(request.problem?.details ?? {});
  const general = [
    request.problem ? wordsForRequest(request) : '',
    ...others.map(escapeMrkdwn),
    Object.keys(problems).length > 0 ? RETURNED.withMarkedFields : RETURNED.withoutMarkedFields,
  ];
  return { problems, notice: general.filter(Boolean).join('\n') };
}

function resultWords({
  request,
  admin,
  changes = 'never',
}: Parameters<typeof buildResultView>[0]): string {
  const { form, reference, state, message } = request;
  if (state === 'created') {
    const channel =
      message && !isDirectMessage(message.channel) ? `<#${message.channel}>` : undefined;
    return wordsForSent(form.isDraft, message && { channel, changes });
  }
  const words = [wordsForRequest(request, admin), isBeingChecked(request) ? CHECKING_ON : ''];
  return `*${escapeMrkdwn(form.title)}* · ${reference}\n${words.join(' ').trim()}`;
}
