import type { InputBlock } from '@slack/types';
import type { RequestForm } from '../../requests/request.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import type { FieldValue } from '../views/view-values.ts';
import { FIELDS, FORM } from '../words/request-form.ts';
import {
  chosenType,
  type FieldName,
  type FormContext,
  type FormDraft,
  productsOf,
} from './draft.ts';
import {
  choiceMenu,
  chosenOrOnly,
  listMenu,
  readChoice,
  readNames,
  readRichText,
  readText,
  readTypedList,
  richTextInput,
  textInput,
  withChosen,
} from './elements.ts';
import { asChoices, type Choice } from './options.ts';

/** Longest title, in characters. The service's own limit is unknown. */
export const TITLE_MAX = 250;

/** A field of the form: how to draw it, how to read it, and what the service calls it. */
export type FormField = {
  name: FieldName;
  label: string;
  /** The names that the service's error `details` may use for it. */
  apiNames: readonly string[];
  /** Shown if it is empty. Only required fields have it. */
  missing?: string;
  hint?: string;
  /** The options of its menu, if it has one that isn't Slack's own. */
  choices?: (context: FormContext) => readonly Choice[];
  /** The names that the chosen request type offers; the field is reset when they change. */
  offeredByType?: (context: FormContext) => readonly string[];
  /** Undefined to leave the field out, if it has nothing to offer. */
  draw(context: FormContext): Pick<InputBlock, 'element' | 'dispatch_action'> | undefined;
  read(value: FieldValue, context: FormContext): FormDraft;
};

const softwaresOf = (context: FormContext) => chosenType(context)?.softwares ?? [];
const formatsOf = (context: FormContext) => chosenType(context)?.formats ?? [];

/**
 * The names that any type offers, the chosen type's first: right after a type change, the form
 * still shows the menus of the previous type.
 */
function* namesOfAllTypes(
  context: FormContext,
  namesOf: (context: FormContext) => readonly string[],
): Iterable<readonly string[]> {
  yield namesOf(context);
  for (const requestType of context.options.requestTypes) {
    // As the only type, which saves searching for it among thousands.
    yield namesOf({
      ...context,
      options: { ...context.options, requestTypes: [requestType] },
      draft: {},
    });
  }
}

/** A menu of names that depends on the request type. */
const menuOfNames = (offeredByType: (context: FormContext) => readonly string[]) => ({
  offeredByType,
  choices: (context: FormContext) => asChoices(offeredByType(context)),
});

/** Fields that a request can't be sent without. */
type RequiredName = {
  [Name in FieldName]-?: undefined extends RequestForm[Name] ? never : Name;
}[Exclude<FieldName, 'isDraft'>];

type Entry<Name extends FieldName> = {
  [One in Name]: FormField & { name: One } & (One extends RequiredName
      ? { missing: string }
      : unknown);
}[Name];

/** Doesn't compile if a field of `RequestForm` has no entry, or a required one has no `missing`. */
function everyField<Name extends FieldName>(
  fields: readonly Entry<Name>[] &
    ([Exclude<FieldName, Name>] extends [never] ? unknown : { lacks: Exclude<FieldName, Name> }),
): readonly FormField[] {
  return fields;
}

/** In the order of the form. */
export const FORM_FIELDS = everyField([
  {
    name: 'title',
    ...FIELDS.title,
    apiNames: ['title'],
    draw: ({ draft }) => ({ element: textInput('title', draft.title, { maxLength: TITLE_MAX }) }),
    read: ({ value }) => ({ title: readText(value) }),
  },
  {
    name: 'requestType',
    ...FIELDS.requestType,
    apiNames: ['typeId', 'type'],
    choices: ({ options }) => options.requestTypes,
    draw: (context) => ({
      element: choiceMenu('requestType', context.options.requestTypes, chosenType(context)),
      dispatch_action: true,
    }),
    read: (value, { options }) => ({ requestType: readChoice(value, options.requestTypes) }),
  },
  {
    name: 'product',
    ...FIELDS.product,
    apiNames: ['product'],
    ...menuOfNames(productsOf),
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
    name: 'description',
    ...FIELDS.description,
    apiNames: ['description'],
    draw: ({ draft }) => ({ element: richTextInput('description', draft.description) }),
    read: ({ rich_text_value: text }) => ({ description: readRichText(text) }),
  },
  {
    name: 'brand',
    ...FIELDS.brand,
    apiNames: ['brandId', 'brand'],
    choices: ({ options }) => options.brands ?? [],
    draw: ({ options, draft }) => {
      const brands = withChosen(options.brands ?? [], draft.brand);
      const chosen = brands.find(({ id }) => id === draft.brand?.id);
      return brands.length > 0 ? { element: choiceMenu('brand', brands, chosen) } : undefined;
    },
    read: (value, { options }) => ({ brand: readChoice(value, options.brands ?? []) }),
  },
  {
    name: 'dimensions',
    ...FIELDS.dimensions,
    apiNames: ['dimension', 'dimensions'],
    draw: ({ draft }) => ({
      element: textInput('dimensions', draft.dimensions, {
        maxLength: PLAIN_TEXT_INPUT_MAX,
        multiline: true,
        placeholder: FIELDS.dimensions.placeholder,
      }),
    }),
    read: ({ value }) => ({ dimensions: readText(value) }),
  },
  {
    name: 'software',
    ...FIELDS.software,
    apiNames: ['software'],
    ...menuOfNames(softwaresOf),
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
    name: 'formats',
    ...FIELDS.formats,
    apiNames: ['fileFormats', 'formats'],
    ...menuOfNames(formatsOf),
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
    name: 'textCopy',
    ...FIELDS.textCopy,
    apiNames: ['textCopy'],
    draw: ({ draft }) => ({
      element: richTextInput('textCopy', draft.textCopy),
    }),
    read: ({ rich_text_value: text }) => ({ textCopy: readRichText(text) }),
  },
  {
    name: 'isDraft',
    ...FIELDS.isDraft,
    apiNames: ['isDraft'],
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
    ...FIELDS.shareIn,
    apiNames: [],
    draw: ({ draft, isReturned }) => ({
      element: {
        type: 'conversations_select',
        action_id: 'shareIn',
        ...(draft.shareIn
          ? { initial_conversation: draft.shareIn }
          : { default_to_current_conversation: !isReturned }),
        filter: {
          include: ['public', 'private'],
          exclude_external_shared_channels: true,
          exclude_bot_users: true,
        },
      },
    }),
    read: ({ selected_conversation: chosen }) => ({ shareIn: chosen ?? undefined }),
  },
]);

const DRAFT_OPTION = {
  text: { type: 'plain_text' as const, text: FORM.saveAsDraft, emoji: false },
  value: 'draft',
};

/** Fields with a menu, which may have to be searchable. */
export const SEARCHABLE_FIELDS = FORM_FIELDS.filter(({ choices }) => choices !== undefined);
