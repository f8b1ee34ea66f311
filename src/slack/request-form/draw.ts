import type { ModalView } from '@slack/types';
import type { DesignRequest, FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { wordsForRequest } from '../words/messages.ts';
import { RETURNED } from '../words/request-form.ts';
import { onlyOffered } from './changed-form.ts';
import { chosenType, draftOf, type FieldName, type FormContext, type FormLists } from './draft.ts';
import type { Defaults } from './fill-defaults.ts';
import { buildFormView, type FormViewProps } from './form-view.ts';
import { missingFields, problemsFromService } from './parse.ts';

/** What a form is drawn with, besides what is stored of it. */
export type Drawing = {
  lists: FormLists;
  defaults: Defaults;
  /** Its request, if it came back. */
  returned?: DesignRequest | undefined;
};

/** Where the cursor is in a form that opens. */
export const focusIn = ({ title }: FormDraft): FieldName =>
  title === undefined ? 'title' : 'description';

/** @returns the view, and the form as it is drawn, to be stored */
export function drawForm(
  { lists, returned }: Pick<Drawing, 'lists' | 'returned'>,
  form: UnfinishedForm,
  more: Pick<FormViewProps, 'problems' | 'notice' | 'unfinished' | 'focus'> = {},
): { view: ModalView; form: UnfinishedForm } {
  const context = { ...lists, draft: form.draft };
  const view = buildFormView({ ...lists, ...form, ...more, ...refusalFor(returned, context) });
  return { view, form: { ...form, draft: onlyOffered(context) } };
}

/** What to show above a form that came back and at its fields, as long as it has the type that it came back with. */
function refusalFor(
  returned: DesignRequest | undefined,
  form: FormContext,
): Pick<FormViewProps, 'problems' | 'notice'> {
  if (!returned) return {};
  const typeOf = (draft: FormDraft) => (chosenType({ ...form, draft }) ?? draft.requestType)?.id;
  if (typeOf(draftOf(returned.form)) !== typeOf(form.draft)) return {};
  const { problem } = returned;
  if (problem?.code === 'incomplete') {
    const requestType = chosenType(form);
    const problems = missingFields({ ...onlyOffered(form), requestType });
    return { problems, notice: requestType ? wordsForRequest(returned) : RETURNED.chooseType };
  }
  const { problems, others } = problemsFromService(problem?.details ?? {});
  const isMarked = Object.keys(problems).length > 0;
  const general = [
    problem ? wordsForRequest(returned) : '',
    ...others.map(escapeMrkdwn),
    isMarked ? RETURNED.withMarkedFields : RETURNED.withoutMarkedFields,
  ];
  return { problems, notice: general.filter(Boolean).join('\n') };
}
