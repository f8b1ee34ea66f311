import { z } from 'zod';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip, PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { FIELDS, FORM } from '../words/request-form.ts';
import { chosenType, isUnlisted, productsOf } from './draft.ts';
import {
  choiceMenu,
  chosenOrOnly,
  listMenu,
  nonBlankLines,
  readChoice,
  readNames,
  readText,
  readTypedList,
  textInput,
  webLinkOf,
  withChosen,
} from './elements.ts';
import { fileField, noteField } from './file-fields.ts';
import {
  everyField,
  fittingOrOnly,
  formatsOf,
  menuOfNames,
  namesOfAllTypes,
  richTextField,
  softwaresOf,
  textField,
} from './form-field.ts';
import { asChoices } from './options.ts';

/** Longest title, in characters. The service's own limit is unknown. */
export const TITLE_MAX = 250;
const BRAND_MAX = 200;
const BRAND_SHOWN = 100;
const LINE_SHOWN = 60;

/** In the order of the form. */
export const FORM_FIELDS = everyField([
  {
    ...textField('title', { maxLength: TITLE_MAX }),
    section: 'main',
    ...FIELDS.title,
    apiNames: ['title'],
  },
  {
    name: 'requestType',
    section: 'main',
    ...FIELDS.requestType,
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
  {
    ...richTextField('description', FIELDS.description.placeholder),
    section: 'main',
    ...FIELDS.description,
    apiNames: ['description'],
  },
  {
    name: 'brand',
    section: 'type',
    ...FIELDS.brand,
    apiNames: ['brandId', 'brand'],
    choices: ({ options }) => options.brands ?? [],
    suggest: ({ brand }, { options }) => ({
      brand: brand.flatMap((id) => options.brands?.find((one) => one.id === id) ?? [])[0],
    }),
    summary: ({ brand }) => brand && escapeMrkdwn(brand.name),
    draw: ({ options, draft, brandHere }) => {
      if (isUnlisted(options)) {
        return { element: textInput('brand', draft.brand?.name, { maxLength: BRAND_MAX }) };
      }
      const brands = withChosen(options.brands ?? [], draft.brand);
      if (brands.length === 0) return undefined;
      const chosen = brands.find(({ id }) => id === draft.brand?.id);
      const element = choiceMenu('brand', brands, chosen);
      const here = chosen ? undefined : brands.find(({ id }) => id === brandHere);
      if (!here) return { element };
      const text = FORM.brandHere(clip(here.name, BRAND_SHOWN));
      return { element, hint: { type: 'plain_text', text, emoji: false } };
    },
    read(value, { options }) {
      const name = readText(value.value);
      // Typed while no brands were known.
      return { brand: name ? { id: '', name } : readChoice(value, options.brands ?? []) };
    },
  },
  {
    ...textField('dimensions', { multiline: true, placeholder: FIELDS.dimensions.placeholder }),
    section: 'type',
    ...FIELDS.dimensions,
    apiNames: ['dimension', 'dimensions'],
    suggest: ({ dimensions: [dimensions] }) => ({ dimensions }),
    summary: ({ dimensions }) => dimensions && escapeMrkdwn(nonBlankLines(dimensions).join(', ')),
  },
  {
    name: 'formats',
    section: 'type',
    ...FIELDS.formats,
    apiNames: ['fileFormats', 'formats'],
    ...menuOfNames(formatsOf),
    suggest: ({ formats }, context) => ({
      formats: fittingOrOnly(formatsOf(context), formats),
    }),
    summary: ({ formats = [] }) => escapeMrkdwn(formats.join(', ')),
    draw: (context) => {
      const formats = formatsOf(context);
      const chosen = context.draft.formats ?? [];
      return {
        element:
          formats.length > 0
            ? listMenu('formats', asChoices(formats), asChoices(chosen))
            : textInput('formats', chosen.join(', '), {
                maxLength: PLAIN_TEXT_INPUT_MAX,
                placeholder: FIELDS.formats.placeholder,
              }),
      };
    },
    read: (value, context) => ({
      formats: value.selected_options
        ? readNames(value, namesOfAllTypes(context, formatsOf))
        : readTypedList(value.value),
    }),
  },
  {
    name: 'product',
    section: 'type',
    ...FIELDS.product,
    apiNames: ['product'],
    ...menuOfNames(productsOf),
    suggest: ({ product }, context) => ({
      product: fittingOrOnly(
        productsOf(context),
        product.map((name) => [name]),
      )?.[0],
    }),
    summary: ({ product }) => product && escapeMrkdwn(product),
    draw: (context) => ({
      element: choiceMenu(
        'product',
        asChoices(productsOf(context)),
        chosenOrOnly(productsOf(context), context.draft.product),
      ),
    }),
    read: (value, context) => ({
      product: readNames(value, namesOfAllTypes(context, productsOf))[0],
    }),
  },
  {
    name: 'software',
    section: 'type',
    ...FIELDS.software,
    apiNames: ['software'],
    ...menuOfNames(softwaresOf),
    suggest: ({ software }, context) => ({
      software: fittingOrOnly(
        softwaresOf(context),
        software.map((name) => [name]),
      )?.[0],
    }),
    summary: ({ software }) => software && escapeMrkdwn(software),
    draw: (context) => {
      const softwares = softwaresOf(context);
      return {
        element:
          softwares.length > 0
            ? choiceMenu(
                'software',
                asChoices(softwares),
                chosenOrOnly(softwares, context.draft.software),
              )
            : textInput('software', context.draft.software, { maxLength: PLAIN_TEXT_INPUT_MAX }),
      };
    },
    read: (value, context) => ({
      software: readText(value.value) ?? readNames(value, namesOfAllTypes(context, softwaresOf))[0],
    }),
  },
  {
    name: 'neededBy',
    section: 'main',
    ...FIELDS.neededBy,
    apiNames: ['dueDate', 'neededBy'],
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
  {
    ...textField('references', { multiline: true, placeholder: FIELDS.references.placeholder }),
    section: 'main',
    ...FIELDS.references,
    apiNames: ['references', 'referenceLinks'],
    problemOf: ({ references = '' }) => {
      const wrong = nonBlankLines(references).find((line) => !webLinkOf(line));
      return wrong && FIELDS.references.invalid(clip(wrong, LINE_SHOWN));
    },
  },
  { name: 'referenceFiles', section: 'main', ...fileField('referenceFiles') },
  { section: 'more', ...noteField('referenceFilesNote') },
  { name: 'additionalFiles', section: 'more', ...fileField('additionalFiles') },
  { section: 'more', ...noteField('additionalFilesNote') },
  {
    ...richTextField('textCopy'),
    section: 'more',
    ...FIELDS.textCopy,
    apiNames: ['textCopy'],
    summary: ({ textCopy }) => textCopy && FORM.summary.textCopy,
  },
  { name: 'textCopyFiles', section: 'more', ...fileField('textCopyFiles') },
  {
    name: 'isDraft',
    section: 'more',
    ...FIELDS.isDraft,
    apiNames: ['isDraft'],
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
  {
    name: 'shareIn',
    section: 'more',
    ...FIELDS.shareIn,
    apiNames: [],
    summary: ({ shareIn, isDraft }, { noPostsIn }) =>
      shareIn &&
      (isDraft || shareIn === noPostsIn
        ? FORM.summary.byMessage
        : FORM.summary.postIn(`<#${shareIn}>`)),
    draw: ({ draft, channelId, isContinued, noPostsIn }) => ({
      ...(draft.shareIn && draft.shareIn === noPostsIn
        ? { hint: { type: 'plain_text', text: FORM.cannotPost } }
        : {}),
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
]);

const DRAFT_OPTION = {
  text: { type: 'plain_text' as const, text: FORM.saveAsDraft, emoji: false },
  value: 'draft',
};

/** Fields with a menu, which may have to be searchable. */
export const SEARCHABLE_FIELDS = FORM_FIELDS.filter(({ choices }) => choices !== undefined);
