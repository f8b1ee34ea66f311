import type { ModalView } from '@slack/types';
import type { DesignRequest } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import { escapedLink, escapeMrkdwn } from '../text/escape.ts';
import { wordsForProblem } from '../words/errors.ts';
import { draftOf } from './draft.ts';
import { buildFormView, buildNoticeView } from './modal.ts';
import { problemsFromService } from './parse.ts';
import { choicesFor, wordsForState } from './request-messages.ts';

/**
 * What the modal shows once the outcome is known. A refused request is the form again, filled, with
 * the service's words at their fields: after the acknowledgement Slack takes no field errors.
 *
 * @param props.options what the form is filled from; undefined if it can't be had, or may not be seen
 */
export function buildResultView(props: {
  request: DesignRequest;
  cardUrl: string | undefined;
  dashboardUrl: string;
  options: FormOptions | undefined;
  partnerName: string;
}): ModalView {
  const { request, cardUrl, dashboardUrl, options, partnerName } = props;
  if (request.state === 'rejected' && options) {
    return buildRefusedForm({ request, options, partnerName });
  }
  const choices = choicesFor(request, dashboardUrl);
  return buildNoticeView(resultWords(request, cardUrl), {
    buttons: choices.length > 0 ? [{ type: 'actions', elements: choices }] : [],
  });
}

/** The form with everything that was typed and the service's words for what it refused. */
export function buildRefusedForm(props: {
  request: DesignRequest;
  options: FormOptions;
  partnerName: string;
}): ModalView {
  const { request, options, partnerName } = props;
  const { problems, others } = problemsFromService(request.problem?.details ?? {});
  const general = [
    request.problem ? wordsForProblem(request.problem) : '',
    ...others.map(escapeMrkdwn),
    Object.keys(problems).length > 0
      ? 'Everything you typed is here: mend what is marked and send it again.'
      : 'Everything you typed is here: change it and send it again.',
  ];
  return buildFormView({
    options,
    partnerName,
    problems,
    draft: draftOf(request.form),
    isReturned: true,
    metadata: { formId: request.id },
    notice: general.filter(Boolean).join('\n'),
  });
}

function resultWords(request: DesignRequest, cardUrl: string | undefined): string {
  const { form, reference, state, problem } = request;
  if (state === 'created') {
    const what = form.isDraft ? 'Draft saved' : 'Sent';
    const title = cardUrl ? escapedLink(cardUrl, form.title) : escapeMrkdwn(form.title);
    return `:white_check_mark: *${what}*\n${title} · ${reference}`;
  }
  const words = problem ? wordsForProblem(problem) : wordsForState(request);
  return `*${escapeMrkdwn(form.title)}* · ${reference}\n${words}`;
}
