import type { InputBlock } from '@slack/types';
import type { RequestForm } from '../../requests/request.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import type { FieldValue } from '../views/view-values.ts';
import {
  chosenType,
  type FieldName,
  type FormContext,
  type FormDraft,
  productsOf,
} from './draft.ts';
import {
  choiceMenu,
  listMenu,
  onlyOrChosen,
  readChoice,
  readNames,
  readRichText,
  readText,
  readTypedList,
  richTextInput,
  textInput,
  withChosen,
} from './elements.ts';
import { type Choice, named } from './options.ts';

/** The longest title, in characters. The service's own limit is not known. */
export const TITLE_MAX = 250;

/** One field of the form: how it is drawn, how it is read, and what the service calls it. */
export type FormField = {
  name: FieldName;
  label: string;
  /** The names under which the service's `details` may speak of it. */
  apiNames: readonly string[];
  /** Said where it is required and was left empty. */
  missing?: string;
  /** What its menu offers; a field without a menu, or with a menu of Slack's own, has none. */
  choices?: (context: FormContext) => readonly Choice[];
  /** Names that the choice of type decides: the field starts anew when they change. */
  listed?: (context: FormContext) => readonly string[];
  /** Undefined where the field has nothing to offer and is left out. */
  draw(context: FormContext): Pick<InputBlock, 'element' | 'hint' | 'dispatch_action'> | undefined;
  read(value: FieldValue, context: FormContext): FormDraft;
};

const softwaresOf = (context: FormContext) => chosenType(context)?.softwares ?? [];
const formatsOf = (context: FormContext) => chosenType(context)?.formats ?? [];

/**
 * The names that any type's menu may have offered, the chosen type's first: a field is read after the type
 * has changed, when its menu still is the earlier type's.
 */
function* everListed(
  context: FormContext,
  listed: (context: FormContext) => readonly string[],
): Iterable<readonly string[]> {
  yield listed(context);
  for (const requestType of context.options.requestTypes) {
    // As the only type, so that it isn't searched for among thousands.
    yield listed({
      ...context,
      options: { ...context.options, requestTypes: [requestType] },
      draft: {},
    });
  }
}

/** A field that is a menu of names which the type decides. */
const menuOfNames = (listed: (context: FormContext) => readonly string[]) => ({
  listed,
  choices: (context: FormContext) => named(listed(context)),
});

const hint = (text: string) => ({ hint: { type: 'plain_text' as const, text } });

/** Fields without which a request can't be sent. */
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
    label: 'Title',
    apiNames: ['title'],
    missing: 'Give your request a title.',
    draw: ({ draft }) => ({ element: textInput('title', draft.title, { maxLength: TITLE_MAX }) }),
    read: ({ value }) => ({ title: readText(value) }),
  },
  {
    name: 'requestType',
    label: 'Request type',
    apiNames: ['typeId', 'type'],
    missing: 'Choose a request type.',
    choices: ({ options }) => options.requestTypes,
    draw: (context) => ({
      element: choiceMenu('requestType', context.options.requestTypes, chosenType(context)),
      dispatch_action: true,
    }),
    read: (value, { options }) => ({ requestType: readChoice(value, options.requestTypes) }),
  },
  {
    name: 'product',
    label: 'Product',
    apiNames: ['product'],
    missing: 'Choose a product.',
    ...menuOfNames(productsOf),
    draw: (context) => ({
      element: choiceMenu(
        'product',
        named(productsOf(context)),
        onlyOrChosen(productsOf(context), context.draft.product),
      ),
    }),
    read: (value, context) => ({ product: readNames(value, everListed(context, productsOf))[0] }),
  },
  {
    name: 'description',
    label: 'Description',
    apiNames: ['description'],
    missing: 'Describe what you need.',
    draw: ({ draft }) => ({ element: richTextInput('description', draft.description) }),
    read: ({ rich_text_value: text }) => ({ description: readRichText(text) }),
  },
  {
    name: 'brand',
    label: 'Brand',
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
    label: 'Dimensions',
    apiNames: ['dimension', 'dimensions'],
    missing: 'Say at least one size.',
    draw: ({ draft }) => ({
      element: textInput('dimensions', draft.dimensions, {
        maxLength: PLAIN_TEXT_INPUT_MAX,
        multiline: true,
        placeholder: 'Instagram post: 1080 × 1080 px',
      }),
      ...hint(
        'One size a line, with a label. Common: post 1080 × 1080, story 1080 × 1920, banner 1200 × 628, slide 1920 × 1080 px.',
      ),
    }),
    read: ({ value }) => ({ dimensions: readText(value) }),
  },
  {
    name: 'software',
    label: 'Software',
    apiNames: ['software'],
    missing: 'Say which software the files are for.',
    ...menuOfNames(softwaresOf),
    draw: (context) => {
      const softwares = softwaresOf(context);
      return {
        element:
          softwares.length > 0
            ? choiceMenu(
                'software',
                named(softwares),
                onlyOrChosen(softwares, context.draft.software),
              )
            : textInput('software', context.draft.software, { maxLength: PLAIN_TEXT_INPUT_MAX }),
      };
    },
    read: (value, context) => ({
      software: readText(value.value) ?? readNames(value, everListed(context, softwaresOf))[0],
    }),
  },
  {
    name: 'formats',
    label: 'File formats',
    apiNames: ['fileFormats', 'formats'],
    missing: 'Say at least one file format.',
    ...menuOfNames(formatsOf),
    draw: (context) => {
      const formats = formatsOf(context);
      const chosen = context.draft.formats ?? [];
      return {
        element:
          formats.length > 0
            ? listMenu('formats', named(formats), named(chosen))
            : textInput('formats', chosen.join(', '), {
                maxLength: PLAIN_TEXT_INPUT_MAX,
                placeholder: 'PNG, PDF',
              }),
      };
    },
    read: (value, context) => ({
      formats: value.selected_options
        ? readNames(value, everListed(context, formatsOf))
        : readTypedList(value.value),
    }),
  },
  {
    name: 'textCopy',
    label: 'Text copy',
    apiNames: ['textCopy'],
    draw: ({ draft }) => ({
      element: richTextInput('textCopy', draft.textCopy),
      ...hint('The words that the design shows.'),
    }),
    read: ({ rich_text_value: text }) => ({ textCopy: readRichText(text) }),
  },
  {
    name: 'isDraft',
    label: 'Draft',
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
    label: 'Share in',
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
      ...hint('Where the confirmation is posted. Leave it empty to get it in a direct message.'),
    }),
    read: ({ selected_conversation: chosen }) => ({ shareIn: chosen ?? undefined }),
  },
]);

const DRAFT_OPTION = {
  text: { type: 'plain_text' as const, text: 'Save as draft', emoji: false },
  value: 'draft',
};

/** The fields with a menu that may have to be searched. */
export const SEARCHABLE_FIELDS = FORM_FIELDS.filter(({ choices }) => choices !== undefined);
