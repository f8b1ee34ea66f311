import type { ConfirmationDialog, InputBlock, KnownBlock, ModalView } from '@slack/types';
import { asOffered, draftOf } from '../../requests/match-lists.ts';
import type { DesignRequest, FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { isUnlisted } from '../../service/cache/reference-lists.ts';
import { connectOrAskButton } from '../interaction/connection.ts';
import { buildModal, buildNotice } from '../interaction/views.ts';
import { button, buttonRow, context, contextIfAny, plainText, section } from '../text/blocks.ts';
import { clipMrkdwn, escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { wordsForFormWithoutKey } from '../words/errors.ts';
import { FILES } from '../words/files.ts';
import { BUTTONS, CONFIRM_DISCARD, wordsForRequest } from '../words/messages.ts';
import { CONFIRM_DISCARD_FORM, FORM, NOTICES, RETURNED } from '../words/request-form.ts';
import { FORM_FIELDS } from './fields.ts';
import {
  chosenType,
  type FieldName,
  type FormContext,
  type FormField,
  type FormLists,
  hasFittingValue,
  isEmpty,
  type ListsWithDefaults,
} from './form-field.ts';
import { FORM_ACTIONS, REQUEST_FORM, REQUEST_FORM_NOTICE } from './ids.ts';
import { optionValue, shortDigest } from './options.ts';
import { type FieldProblems, metadataOf, missingFields, problemsFromService } from './parse.ts';

/** What a form is drawn from, besides what is stored of it. */
export type FormSources = FormLists &
  Partial<ListsWithDefaults> & {
    /** Its request, if it came back. */
    returned?: DesignRequest | undefined;
    /** What to fix, by field, if that isn't why it came back. */
    problems?: FieldProblems;
    /** Other problems, or why the form is shown again. */
    notice?: string;
    /** The forms that the person closed before, offered above this one. */
    unfinished?: readonly UnfinishedForm[];
    focus?: FieldName | undefined;
  };
type FormViewProps = FormSources & UnfinishedForm;

/** The draft, with only what the chosen type offers, as the service spells it. */
export function onlyOffered(context: FormContext): FormDraft {
  let { draft } = context;
  for (const { name, offeredByType } of FORM_FIELDS) {
    const value = draft[name];
    if (!offeredByType || isEmpty(value)) continue;
    const offered = asOffered(offeredByType(context), [value].flat().map(String));
    draft = { ...draft, [name]: Array.isArray(value) ? offered : offered[0] };
  }
  return draft;
}

/** @returns the view, and the form as it is drawn, to be stored */
export function drawForm(form: UnfinishedForm, sources: FormSources) {
  const drawn = { ...form, draft: onlyOffered({ ...sources, draft: form.draft }) };
  const { returned, notice, problems } = sources;
  const isFirst = notice === undefined && problems === undefined;
  const refusal = returned && isFirst ? refusalFor(returned, { ...sources, ...drawn }) : {};
  return { view: buildFormView({ ...sources, ...drawn, ...refusal }), form: drawn };
}

/** Why a form came back, as long as it has the type that it came back with. */
function refusalFor(returned: DesignRequest, form: FormContext) {
  const typeOf = (draft: FormDraft) => (chosenType({ ...form, draft }) ?? draft.requestType)?.id;
  if (typeOf(draftOf(returned.form)) !== typeOf(form.draft)) return {};
  const { problem } = returned;
  if (problem?.code === 'incomplete') {
    const requestType = chosenType(form);
    const problems = missingFields({ ...form.draft, requestType });
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

export function buildFormView(props: FormViewProps): ModalView {
  const { formId, options, isExpanded, notice } = props;
  if (options.requestTypes.length === 0) {
    return buildNoticeView(NOTICES.noRequestTypes, { retry: true, formId });
  }
  const hidden = FORM_FIELDS.filter((field) => !isShown(field, props));
  const type = isUnlisted(options) ? options.requestTypes[0] : chosenType(props);
  const offers = offerBlocks(props.unfinished ?? [], FORM_ACTIONS.continueHere);
  const view = buildModal({
    title: FORM.title,
    submit: FORM.send,
    callbackId: REQUEST_FORM,
    metadata: metadataOf(formId, type && optionValue(type.id)),
    blocks: [
      ...(notice ? [section(`:warning: ${notice}`)] : []),
      ...notConnected(props),
      ...(offers.length > 0 ? [...offers, { type: 'divider' as const }] : []),
      ...FORM_FIELDS.filter((field) => !hidden.includes(field)).flatMap((field) => [
        ...buildField(field, props),
        ...(field.name === 'requestType' ? hiddenSummary(hidden, props) : []),
      ]),
      ...buttonRow(isExpanded ? [] : [button(FORM_ACTIONS.moreOptions, FORM.moreOptions)]),
    ],
  });
  return { ...view, notify_on_close: true };
}

function notConnected({ options, admin }: FormViewProps): KnownBlock[] {
  if (!options.withoutKey) return [];
  return [
    section(wordsForFormWithoutKey(options.withoutKey, admin, isUnlisted(options))),
    ...buttonRow([connectOrAskButton(admin)]),
    { type: 'divider' },
  ];
}

/** What a form asks for while no request types are known; its author gives the rest once they are. */
const ASKED_UNLISTED: readonly FieldName[] = ['title', 'requestType', 'description', 'neededBy'];

function isShown(field: FormField, props: FormViewProps): boolean {
  const { name, section } = field;
  const { isExpanded, problems, visible, options } = props;
  if (problems?.[name] !== undefined) return true;
  const hasType = !isUnlisted(options) && (chosenType(props) ?? props.draft.requestType);
  if (section === 'type' && !hasType) return false;
  if (isExpanded || visible?.includes(name)) return true;
  if (isUnlisted(options)) return ASKED_UNLISTED.includes(name);
  return section === 'main' || (section === 'type' && !hasFittingValue(field, props));
}

/** What hidden fields are set to, in plain sight, since it is sent with the rest. */
function hiddenSummary(hidden: readonly FormField[], props: FormViewProps): KnownBlock[] {
  const set = hidden.flatMap(({ summary }) => summary?.(props.draft, props) || []);
  const words = set.map((part) => clipMrkdwn(part, SUMMARY_CHARS)).join('  ·  ');
  return contextIfAny(words && `${FORM.alsoSet} ${words}`);
}

const SUMMARY_CHARS = 100;

function buildField(field: FormField, props: FormViewProps): KnownBlock[] {
  const problem = props.problems?.[field.name];
  const drawn = field.draw(props);
  const shown = drawn ? problem : problem && `${field.label}: ${problem}`;
  return [
    ...[field.above?.(props) ?? []].flat(),
    ...(drawn ? [inputOf(field, props, drawn)] : missingFieldNote(field, props)),
    ...contextIfAny(shown ? `:warning: ${escapeMrkdwn(clip(shown, PROBLEM_CHARS))}` : ''),
  ];
}

export function inputOf(
  field: FormField,
  context: FormContext & { focus?: FieldName | undefined },
  { element, ...drawn }: NonNullable<ReturnType<FormField['draw']>>,
): InputBlock {
  const { name, label, missing, hint, placeholder } = field;
  const isText = element.type === 'plain_text_input' || element.type === 'rich_text_input';
  const added = {
    ...(isText && placeholder ? { placeholder: plainText(placeholder) } : {}),
    ...(context.focus === name ? { focus_on_load: true } : {}),
  };
  return {
    type: 'input',
    block_id: blockIdOf(field, context),
    label: plainText(label),
    optional: missing === undefined,
    ...(hint ? { hint: plainText(hint) } : {}),
    ...drawn,
    element: { ...element, ...added } as InputBlock['element'],
  };
}

/**
 * Slack keeps what was typed while block and action IDs stay the same. So the ID of a field of the request type depends
 * on that type, and the ID of every field on the form, since a form that is continued replaces another one.
 */
function blockIdOf({ name, section, resetBy }: FormField, context: FormContext): string {
  const type = section === 'type' ? chosenType(context) : undefined;
  return `${name}@${shortDigest([context.formId, type, resetBy?.(context)])}`;
}

/** Explains why a field is missing. If the service has no brands, there is nothing to explain. */
function missingFieldNote({ name }: FormField, { options, files }: FormViewProps): KnownBlock[] {
  if (name === 'referenceFiles' && !files) return [context(FILES.linksOnly)];
  return name === 'brand' && !options.brands ? [context(FORM.brandsUnavailable)] : [];
}

/** A sentence, so that it doesn't bury the form. */
const PROBLEM_CHARS = 500;

export const buildLoadingView = (formId?: string): ModalView =>
  buildNoticeView(NOTICES.loading, { formId });

/** A text instead of the form, with a "Try again" button where that can help. */
export function buildNoticeView(
  text: string,
  options: { retry?: boolean; formId?: string | undefined; buttons?: KnownBlock[] } = {},
): ModalView {
  const { retry, formId, buttons = [] } = options;
  const tryAgain = retry ? [button(FORM_ACTIONS.retryLoading, NOTICES.tryAgain)] : [];
  return buildNotice({
    title: FORM.title,
    text,
    blocks: [...buttonRow(tryAgain), ...buttons],
    callbackId: REQUEST_FORM_NOTICE,
    metadata: formId && metadataOf(formId),
  });
}

const OFFERS_MAX = 10;
const TITLE_CHARS = 100;

/** Offers to continue or discard the forms in which something was typed, the newest first. */
export function offerBlocks(saved: readonly UnfinishedForm[], continueAction: string) {
  const offers = saved.filter(({ isTyped, isReturned }) => isTyped && !isReturned);
  return offers.slice(0, OFFERS_MAX).flatMap(({ formId, draft }): KnownBlock[] => {
    const about = clip(draft.title ?? FORM.untitled, TITLE_CHARS);
    const more = { value: formId, about };
    const discard = button(FORM_ACTIONS.discardForm, BUTTONS.discard, more);
    return [
      context(FORM.continueOffer(escapeMrkdwn(about))),
      ...buttonRow([
        button(continueAction, FORM.continueButton, more),
        { ...discard, confirm: discardDialog(CONFIRM_DISCARD_FORM) },
      ]),
    ];
  });
}

/** Asks before something is discarded, since that can't be undone. */
export const discardDialog = (text: string): ConfirmationDialog => ({
  title: plainText(CONFIRM_DISCARD.title),
  text: plainText(text),
  confirm: plainText(CONFIRM_DISCARD.confirm),
  deny: plainText(CONFIRM_DISCARD.deny),
  style: 'danger',
});
