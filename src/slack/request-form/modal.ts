import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { FormDraft } from '../../requests/request.ts';
import { connectOffer } from '../connect/ask-admin.ts';
import { context, section } from '../text/blocks.ts';
import { clipMrkdwn, escapeMrkdwn } from '../text/escape.ts';
import { clip, PRIVATE_METADATA_MAX } from '../text/limits.ts';
import { buildNotice } from '../views/notice-view.ts';
import { wordsForFormWithoutKey } from '../words/errors.ts';
import { FILES } from '../words/files.ts';
import { CANCEL } from '../words/modal.ts';
import { FORM, NOTICES } from '../words/request-form.ts';
import { blockIdOf } from './block-ids.ts';
import { onlyOffered } from './changed-form.ts';
import { chosenType, type FieldName, type FormContext, isUnlisted } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';
import type { FormField } from './form-field.ts';
import { FORM_ACTIONS, REQUEST_FORM, REQUEST_FORM_NOTICE } from './ids.ts';
import { type FormMetadata, writeMetadata } from './metadata.ts';
import { offerBlocks } from './offer-blocks.ts';
import { hasGoodValue } from './offered-names.ts';
import { optionValue, shownNameOf } from './options.ts';
import type { FieldProblems } from './parse.ts';
import type { Offer } from './unfinished.ts';

export type FormViewProps = FormContext & {
  metadata: FormMetadata;
  /** What to fix, by field. */
  problems?: FieldProblems;
  /** Other problems, or why the form is shown again. */
  notice?: string;
  /** Fields that people have filled in, which stay where they are. */
  visible?: ReadonlySet<string>;
  /** The forms that the person closed before, offered above this one. */
  unfinished?: readonly Offer[];
  /** Where to put the cursor. */
  focus?: FieldName | undefined;
};

/** The form, filled with the draft. */
export function buildFormView(given: FormViewProps): ModalView {
  const draft = onlyOffered(given);
  const props = { ...given, draft };
  const { metadata, options } = props;
  if (options.requestTypes.length === 0) {
    return buildNoticeView(NOTICES.noRequestTypes, { retry: true, metadata });
  }
  const notice = [props.notice, brandNotOffered(given, draft)].filter(Boolean).join('\n');
  const { hidden, shown } = hideFields(props);
  const blocks = shown.flatMap((field) => [
    ...buildField(field, props),
    ...(field.name === 'requestType' ? setForYou(hidden, props) : []),
  ]);
  const type = chosenType(props);
  const shownType = type && optionValue(type.id);
  return {
    type: 'modal',
    callback_id: REQUEST_FORM,
    private_metadata: writeMetadata({
      ...metadata,
      typed: undefined,
      shareIn: draft.shareIn,
      shownType,
      shownTypeName: type && shownNameOf(type),
      hidden: valuesOf(hidden, draft),
    }),
    notify_on_close: true,
    title: { type: 'plain_text', text: FORM.title },
    submit: { type: 'plain_text', text: FORM.send },
    close: { type: 'plain_text', text: CANCEL },
    blocks: [
      ...(notice ? [section(`:warning: ${notice}`)] : []),
      ...notConnected(props),
      ...offersIn(props),
      ...blocks,
      ...(metadata.isExpanded ? [] : [buttonRow(FORM_ACTIONS.moreOptions, FORM.moreOptions)]),
    ],
  };
}

/** Says that the request will wait for a key, with a button to connect one or to ask for it. */
function notConnected({ options, metadata: { admin } }: FormViewProps): KnownBlock[] {
  const { withoutKey } = options;
  if (!withoutKey) return [];
  return [
    section(wordsForFormWithoutKey(withoutKey, admin, isUnlisted(options))),
    {
      type: 'actions',
      elements: [connectOffer(admin)],
    },
    { type: 'divider' },
  ];
}

/** Names a brand that was typed while none were known, and that the service doesn't offer. */
const brandNotOffered = ({ draft: { brand } }: FormViewProps, offered: FormDraft) =>
  brand && !offered.brand ? FORM.typedBrand(escapeMrkdwn(brand.name)) : '';

/** Separates the fields that are shown from those under More options, and those that need a type first. */
function hideFields(props: FormViewProps): { hidden: FormField[]; shown: FormField[] } {
  const hidden = FORM_FIELDS.filter((field) => !belongs(field, props) || canHide(field, props));
  // Slack returns the values of hidden fields to us only as metadata. What doesn't fit is shown.
  const sizeOf = ({ name }: FormField) => JSON.stringify(props.draft[name] ?? '').length;
  const bySize = hidden.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  while (bySize.reduce((size, field) => size + sizeOf(field), 0) > HIDDEN_MAX) bySize.pop();
  const isHidden = (field: FormField) => bySize.includes(field);
  return {
    hidden: FORM_FIELDS.filter(isHidden),
    shown: FORM_FIELDS.filter((field) => !isHidden(field)),
  };
}

/** The fields of the type appear once there is one. */
const belongs = ({ name, section }: FormField, props: FormViewProps) =>
  section !== 'type' ||
  chosenType(props) !== undefined ||
  props.draft.requestType !== undefined ||
  props.problems?.[name] !== undefined;

/** What a form asks for while no request types are known; its author gives the rest once they are. */
const ASKED_UNLISTED: readonly FieldName[] = ['title', 'requestType', 'description', 'neededBy'];

function canHide(field: FormField, props: FormViewProps): boolean {
  const { metadata, problems, visible, options } = props;
  if (metadata.isExpanded) return false;
  if (problems?.[field.name] || visible?.has(field.name)) return false;
  if (isUnlisted(options)) return !ASKED_UNLISTED.includes(field.name);
  if (field.section === 'main') return false;
  return field.section === 'more' || hasGoodValue(field, props);
}

const valuesOf = (fields: readonly FormField[], draft: FormDraft): FormDraft =>
  Object.fromEntries(fields.map(({ name }) => [name, draft[name]]));

/** What hidden fields are set to. It stands where people look, since it is sent with the rest. */
function setForYou(hidden: readonly FormField[], props: FormViewProps): KnownBlock[] {
  const set = hidden.flatMap(({ summary }) => summary?.(props.draft, contextOf(props)) || []);
  const words = set.map((part) => clipMrkdwn(part, SUMMARY_SHOWN)).join('  ·  ');
  return set.length > 0 ? [context(`${FORM.alsoSet} ${words}`)] : [];
}

function offersIn({ unfinished = [] }: FormViewProps): KnownBlock[] {
  const blocks = offerBlocks(unfinished, FORM_ACTIONS.continueHere);
  return blocks.length > 0 ? [...blocks, { type: 'divider' }] : [];
}

/** Shown of each value, in characters. */
const SUMMARY_SHOWN = 100;
/** For the values of hidden fields, in characters of JSON; the rest of the metadata needs the others. */
const HIDDEN_MAX = PRIVATE_METADATA_MAX / 2;

const buttonRow = (action_id: string, text: string, value?: string): KnownBlock => ({
  type: 'actions',
  elements: [
    {
      type: 'button',
      action_id,
      text: { type: 'plain_text', text },
      ...(value === undefined ? {} : { value }),
    },
  ],
});

function contextOf(props: FormViewProps): FormContext {
  const { channelId, isContinued, resets, noPostsIn } = props.metadata;
  return { ...props, channelId, isContinued, resets, noPostsIn };
}

function buildField(field: FormField, props: FormViewProps): KnownBlock[] {
  const problem = props.problems?.[field.name];
  const drawing = contextOf(props);
  const drawn = field.draw(drawing);
  const above = [field.above?.(props) ?? []].flat();
  if (!drawn) {
    const note = [...above, ...noteWithout(field, props)];
    return problem ? [...note, problemNote(`${field.label}: ${problem}`)] : note;
  }
  const input = inputOf(field, drawing, drawn);
  const element = {
    ...input.element,
    ...(props.focus === field.name ? { focus_on_load: true } : {}),
  } as InputBlock['element'];
  const blocks = [...above, { ...input, element }];
  return problem ? [...blocks, problemNote(problem)] : blocks;
}

/** The input of a field, in the form or in a preset. */
export const inputOf = (
  field: FormField,
  context: FormContext,
  drawn: NonNullable<ReturnType<FormField['draw']>>,
): InputBlock => ({
  type: 'input',
  block_id: blockIdOf(field, context),
  label: { type: 'plain_text', text: field.label },
  optional:
    field.missing === undefined || (field.section === 'type' && isUnlisted(context.options)),
  ...(field.hint ? { hint: { type: 'plain_text', text: field.hint } } : {}),
  ...drawn,
});

const problemNote = (problem: string): KnownBlock =>
  context(`:warning: ${escapeMrkdwn(clip(problem, PROBLEM_SHOWN))}`);

/** Explains why a field is missing. */
function noteWithout({ name }: FormField, props: FormViewProps): KnownBlock[] {
  if (name === 'brand') return brandNote(props);
  return name === 'referenceFiles' && !props.files ? [context(FILES.linksOnly)] : [];
}

/** Explains why no brands are offered yet. If the service has none, there is nothing to explain. */
function brandNote({ options }: FormViewProps): KnownBlock[] {
  if (options.brands !== undefined) return [];
  return [context(options.brandsPending ? FORM.brandsLoading : FORM.brandsUnavailable)];
}

/** Shown of a problem, in characters: a sentence, so that it doesn't bury the form. */
const PROBLEM_SHOWN = 500;

/** Shown until the service has answered. */
export function buildLoadingView(metadata?: FormMetadata): ModalView {
  return buildNoticeView(NOTICES.loading, metadata ? { metadata } : {});
}

/** A text instead of the form, with a "Try again" button where that can help. */
export function buildNoticeView(
  text: string,
  options: { retry?: boolean; metadata?: FormMetadata; buttons?: KnownBlock[] } = {},
): ModalView {
  const retry = buttonRow(FORM_ACTIONS.retryLoading, NOTICES.tryAgain);
  const { metadata, buttons = [] } = options;
  return buildNotice({
    title: FORM.title,
    text,
    blocks: options.retry ? [retry, ...buttons] : buttons,
    callbackId: REQUEST_FORM_NOTICE,
    metadata: metadata && writeMetadata(metadata),
  });
}
