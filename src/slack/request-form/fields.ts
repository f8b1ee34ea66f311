import { z } from 'zod';
import { isUnlisted } from '../../service/cache/reference-lists.ts';
import { plainText } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { FIELDS, type FieldWords, FORM } from '../words/request-form.ts';
import {
  chosenType,
  type Field,
  type FieldName,
  type FormField,
  filesField,
  namesField,
  noteField,
  productsOf,
  type RequiredName,
  richTextField,
  textField,
} from './form-field.ts';
import { menuFor, readChoice, withChosen, withoutEmoji } from './options.ts';

/** Longest title, in characters. The service's own limit is unknown. */
export const TITLE_MAX = 250;
const BRAND_CHARS = 100;
const LINE_CHARS = 60;

export const nonBlankLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A domain, perhaps with a port and a path, as people write it. */
const WITHOUT_SCHEME = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}-][\p{L}\p{N}-]+(?::\d+)?(?:[/?#]\S*)?$/u;

/** The address that a browser opens for a text; undefined for anything but a single address. */
export function webLinkOf(text: string): string | undefined {
  const url = WITHOUT_SCHEME.test(text) ? `https://${text}` : text;
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) ? url : undefined;
}

const DRAFT_OPTION = { text: withoutEmoji(FORM.saveAsDraft), value: 'draft' };

/** In the order of the form. The texts are in FIELDS. */
const IN_ORDER: Record<FieldName, Field & Pick<FormField, 'section'>> = {
  title: { section: 'main', ...textField('title', { maxLength: TITLE_MAX }) },
  requestType: {
    section: 'main',
    apiNames: ['typeId', 'type'],
    choices: ({ options }) => options.requestTypes,
    draw: (context) =>
      isUnlisted(context.options)
        ? undefined
        : {
            element: menuFor('requestType', context.options.requestTypes, [chosenType(context)]),
            dispatch_action: true,
          },
    read: (value, { options }) => ({ requestType: readChoice(value, options.requestTypes) }),
  },
  description: { section: 'main', ...richTextField('description') },
  brand: {
    section: 'type',
    apiNames: ['brandId'],
    choices: ({ options }) => options.brands ?? [],
    suggest(suggestions, { options }) {
      const [first] = suggestions.brand.flatMap(
        (wanted) => options.brands?.filter(({ id }) => id === wanted) ?? [],
      );
      return { brand: first && { id: first.id, name: first.name } };
    },
    summary: ({ brand: chosen }) => chosen && escapeMrkdwn(chosen.name),
    draw({ options, draft, suggestionsFor }) {
      const brands = withChosen(options.brands ?? [], draft.brand);
      if (brands.length === 0) return undefined;
      const chosen = brands.find(({ id }) => id === draft.brand?.id);
      const element = menuFor('brand', brands, [chosen]);
      const { brandHere } = suggestionsFor?.() ?? {};
      const here = chosen ? undefined : brands.find(({ id }) => id === brandHere);
      if (!here) return { element };
      return { element, hint: withoutEmoji(FORM.brandHere(clip(here.name, BRAND_CHARS))) };
    },
    read: (value, { options }) => ({ brand: readChoice(value, options.brands ?? []) }),
  },
  dimensions: {
    section: 'type',
    ...textField('dimensions'),
    apiNames: ['dimension'],
    suggest: ({ dimensions: [sizes] }) => ({ dimensions: sizes }),
    summary: (draft) => escapeMrkdwn(nonBlankLines(draft.dimensions ?? '').join(', ')),
  },
  formats: {
    section: 'type',
    apiNames: ['fileFormats'],
    ...namesField('formats', (context) => chosenType(context)?.formats ?? []),
  },
  product: { section: 'type', ...namesField('product', productsOf) },
  software: {
    section: 'type',
    ...namesField('software', (context) => chosenType(context)?.softwares ?? []),
  },
  neededBy: {
    section: 'main',
    apiNames: ['dueDate'],
    problemOf: ({ neededBy: day = '' }, today) =>
      z.iso.date().safeParse(day).success && day >= today ? undefined : FIELDS.neededBy.invalid,
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
    ...textField('references'),
    apiNames: ['referenceLinks'],
    problemOf: (draft) => {
      const wrong = nonBlankLines(draft.references ?? '').find((line) => !webLinkOf(line));
      return wrong && FIELDS.references.invalid(clip(wrong, LINE_CHARS));
    },
  },
  referenceFiles: { section: 'main', ...filesField('referenceFiles') },
  referenceFilesNote: { section: 'more', ...noteField('referenceFilesNote') },
  additionalFiles: { section: 'more', ...filesField('additionalFiles') },
  additionalFilesNote: { section: 'more', ...noteField('additionalFilesNote') },
  textCopy: {
    section: 'more',
    ...richTextField('textCopy'),
    summary: (draft) => draft.textCopy && FIELDS.textCopy.label,
  },
  textCopyFiles: { section: 'more', ...filesField('textCopyFiles') },
  isDraft: {
    section: 'more',
    summary: (draft) => (draft.isDraft ? FORM.summary.draft : undefined),
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
    summary: ({ shareIn: channel, isDraft: isSaved }, { noPostsIn }) =>
      channel &&
      (isSaved || channel === noPostsIn
        ? FORM.summary.byMessage
        : FORM.summary.postIn(`<#${channel}>`)),
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

export const FORM_FIELDS = Object.entries(IN_ORDER).map(([name, field]): FormField => {
  const { label, hint, missing, placeholder }: FieldWords = FIELDS[name as FieldName];
  return { name: name as FieldName, label, hint, missing, placeholder, ...field };
});

/** Fields with a menu, which may have to be searchable. */
export const SEARCHABLE_FIELDS = FORM_FIELDS.filter(({ choices }) => choices !== undefined);
