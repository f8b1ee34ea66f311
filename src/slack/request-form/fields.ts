import { z } from 'zod';
import { isUnlisted } from '../../service/cache/reference-lists.ts';
import { plainText } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { FIELDS, type FieldWords, FORM } from '../words/request-form.ts';
import { chosenType, type FieldName, productsOf } from './draft.ts';
import {
  type FormField,
  fieldInput,
  fileField,
  fittingOrOnly,
  formatsOf,
  menuOfNames,
  nameField,
  nonBlankLines,
  noteField,
  type RequiredName,
  readTypedList,
  richTextField,
  softwaresOf,
  textField,
  webLinkOf,
} from './form-field.ts';
import {
  asChoices,
  choiceMenu,
  listMenu,
  readChoice,
  readNames,
  withChosen,
  withoutEmoji,
} from './options.ts';

/** Longest title, in characters. The service's own limit is unknown. */
export const TITLE_MAX = 250;
const BRAND_CHARS = 100;
const LINE_CHARS = 60;

/** In the order of the form. The texts are in FIELDS. */
const IN_ORDER: Record<FieldName, Omit<FormField, 'name' | 'label'>> = {
  title: { section: 'main', ...textField('title', { maxLength: TITLE_MAX }) },
  requestType: {
    section: 'main',
    apiNames: ['typeId', 'type'],
    choices: ({ options }) => options.requestTypes,
    draw: (context) =>
      isUnlisted(context.options)
        ? undefined
        : {
            element: choiceMenu('requestType', context.options.requestTypes, chosenType(context)),
            dispatch_action: true,
          },
    read: (value, { options }) => ({ requestType: readChoice(value, options.requestTypes) }),
  },
  description: { section: 'main', ...richTextField('description') },
  brand: {
    section: 'type',
    apiNames: ['brandId'],
    choices: ({ options }) => options.brands ?? [],
    suggest({ brand }, { options }) {
      const [first] = brand.flatMap((id) => options.brands?.filter((one) => one.id === id) ?? []);
      return { brand: first && { id: first.id, name: first.name } };
    },
    summary: ({ brand }) => brand && escapeMrkdwn(brand.name),
    draw: ({ options, draft, suggestionsFor }) => {
      const brands = withChosen(options.brands ?? [], draft.brand);
      if (brands.length === 0) return undefined;
      const chosen = brands.find(({ id }) => id === draft.brand?.id);
      const element = choiceMenu('brand', brands, chosen);
      const { brandHere } = suggestionsFor?.() ?? {};
      const here = chosen ? undefined : brands.find(({ id }) => id === brandHere);
      if (!here) return { element };
      return { element, hint: withoutEmoji(FORM.brandHere(clip(here.name, BRAND_CHARS))) };
    },
    read: (value, { options }) => ({ brand: readChoice(value, options.brands ?? []) }),
  },
  dimensions: {
    section: 'type',
    ...textField('dimensions', { multiline: true }),
    apiNames: ['dimension'],
    suggest: ({ dimensions: [dimensions] }) => ({ dimensions }),
    summary: ({ dimensions }) => dimensions && escapeMrkdwn(nonBlankLines(dimensions).join(', ')),
  },
  formats: {
    section: 'type',
    apiNames: ['fileFormats'],
    ...menuOfNames(formatsOf),
    suggest: ({ formats }, context) => ({ formats: fittingOrOnly(formatsOf(context), formats) }),
    summary: ({ formats = [] }) => escapeMrkdwn(formats.join(', ')),
    draw: (context) => {
      const formats = formatsOf(context);
      const chosen = context.draft.formats ?? [];
      return formats.length > 0
        ? { element: listMenu('formats', asChoices(formats), asChoices(chosen)) }
        : { element: fieldInput('formats', chosen.join(', ')) };
    },
    read: (value, context) => ({
      formats: value.selected_options
        ? readNames(value, formatsOf(context))
        : readTypedList(value.value),
    }),
  },
  product: { section: 'type', ...nameField('product', productsOf) },
  software: { section: 'type', ...nameField('software', softwaresOf) },
  neededBy: {
    section: 'main',
    apiNames: ['dueDate'],
    problemOf: ({ neededBy = '' }, today) =>
      z.iso.date().safeParse(neededBy).success && neededBy >= today
        ? undefined
        : FIELDS.neededBy.invalid,
    draw: ({ draft }) => ({
      element: {
        type: 'datepicker',
        action_id: 'neededBy',
        ...(draft.neededBy ? { initial_date: draft.neededBy } : {}),
      },
    }),
    read: ({ selected_date: day }) => ({ neededBy: day || undefined }),
  },
  references: {
    section: 'main',
    ...textField('references', { multiline: true }),
    apiNames: ['referenceLinks'],
    problemOf: ({ references = '' }) => {
      const wrong = nonBlankLines(references).find((line) => !webLinkOf(line));
      return wrong && FIELDS.references.invalid(clip(wrong, LINE_CHARS));
    },
  },
  referenceFiles: { section: 'main', ...fileField('referenceFiles') },
  referenceFilesNote: { section: 'more', ...noteField('referenceFilesNote') },
  additionalFiles: { section: 'more', ...fileField('additionalFiles') },
  additionalFilesNote: { section: 'more', ...noteField('additionalFilesNote') },
  textCopy: {
    section: 'more',
    ...richTextField('textCopy'),
    summary: ({ textCopy }) => textCopy && FORM.summary.textCopy,
  },
  textCopyFiles: { section: 'more', ...fileField('textCopyFiles') },
  isDraft: {
    section: 'more',
    summary: ({ isDraft }) => (isDraft ? FORM.summary.draft : undefined),
    draw: ({ draft }) => ({
      element: {
        type: 'checkboxes',
        action_id: 'isDraft',
        options: [DRAFT_OPTION],
        ...(draft.isDraft ? { initial_options: [DRAFT_OPTION] } : {}),
      },
    }),
    read: ({ selected_options: chosen }) => ({ isDraft: (chosen?.length ?? 0) > 0 }),
  },
  shareIn: {
    section: 'more',
    summary: ({ shareIn, isDraft }, { noPostsIn }) =>
      shareIn &&
      (isDraft || shareIn === noPostsIn
        ? FORM.summary.byMessage
        : FORM.summary.postIn(`<#${shareIn}>`)),
    draw: ({ draft, channelId, isContinued, noPostsIn }) => ({
      ...(draft.shareIn && draft.shareIn === noPostsIn ? { hint: plainText(FORM.cannotPost) } : {}),
      dispatch_action: true,
      element: {
        type: 'conversations_select',
        action_id: 'shareIn',
        // Slack doesn't default to a conversation that the filter excludes. An empty field stays empty: what would be
        // posted may not be for everybody.
        ...(draft.shareIn && (isContinued || draft.shareIn !== channelId)
          ? { initial_conversation: draft.shareIn }
          : { default_to_current_conversation: draft.shareIn !== undefined }),
        filter: {
          include: ['public', 'private'],
          exclude_external_shared_channels: true,
          exclude_bot_users: true,
        },
      },
    }),
    read: ({ selected_conversation: chosen }) => ({ shareIn: chosen || undefined }),
  },
};

// A required field without words for when it is missing doesn't compile.
FIELDS satisfies Record<RequiredName, { missing: string }>;

/** The fields of the form, in its order. */
export const FORM_FIELDS = Object.entries(IN_ORDER).map(([name, field]): FormField => {
  const { label, hint, missing }: FieldWords = FIELDS[name as FieldName];
  return { name: name as FieldName, label, hint, missing, ...field };
});

const DRAFT_OPTION = { text: withoutEmoji(FORM.saveAsDraft), value: 'draft' };

/** Fields with a menu, which may have to be searchable. */
export const SEARCHABLE_FIELDS = FORM_FIELDS.filter(({ choices }) => choices !== undefined);
