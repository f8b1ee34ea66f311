import type { InputBlock, RichTextBlock } from '@slack/types';
import type { Suggestions } from '../../requests/form-defaults.ts';
import { asOffered } from '../../requests/match-lists.ts';
import type { FileRole, FormattedText, FormDraft, RequestForm } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { type FormOptions, partnerIn } from '../../service/cache/reference-lists.ts';
import type { RequestType } from '../../service/operations/read-list.ts';
import type { FieldValue } from '../interaction/views.ts';
import { plainText } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import {
  clip,
  isBlank,
  OPTION_TEXT_MAX,
  PLAIN_TEXT_INPUT_MAX,
  typedText,
  wellFormed,
} from '../text/limits.ts';
import { richTextIsBlank } from '../text/rich-text-to-html.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';
import { LIST_SUFFIX } from './ids.ts';
import {
  asChoices,
  type Choice,
  menuFor,
  readNames,
  shortDigest,
  withoutEmoji,
} from './options.ts';
import { problemOfKind } from './slack-files.ts';

// What the fields of the form have in common. They are in fields.ts.

export type FieldName = keyof FormDraft;

/** What a form is drawn from and parsed with, besides what is stored of it. */
export type FormLists = {
  options: FormOptions;
  /** The largest file that can be attached; undefined if only links can be given. */
  files?: { maxBytes: number } | undefined;
};

/** The same, with what to fill it with, for the ID of a request type or without one. */
export type ListsWithDefaults = FormLists & { suggestionsFor: (typeId?: string) => Suggestions };

export type FormContext = FormLists &
  Partial<ListsWithDefaults & UnfinishedForm> & { draft: FormDraft };

export type FormField = {
  name: FieldName;
  /**
   * `main`: always shown. `type`: shown once a type is chosen, unless it has a fitting value already.
   * `more`: under More options, like the hidden ones of the type.
   */
  section: 'main' | 'type' | 'more';
  label: string;
  /** The names that the service's error `details` may use for it, besides its own. */
  apiNames?: readonly string[];
  /** Shown if it is empty. Only required fields have it. */
  missing?: string | undefined;
  hint?: string | undefined;
  /** In its input, while that is empty. */
  placeholder?: string | undefined;
  /** The options of its menu, if it has one that isn't Slack's own. */
  choices?: (context: FormContext) => readonly Choice[];
  /** The names that the chosen request type offers; the field is reset when they change. */
  offeredByType?: (context: FormContext) => readonly string[];
  /** What to fill it with, if it is empty; undefined if nothing fits. */
  suggest?(suggestions: Suggestions, context: FormContext): FormDraft;
  /** What it is set to while it is hidden, as mrkdwn. */
  summary?(draft: FormDraft, context: FormContext): string | undefined;
  /** What else resets the input, besides the names that the type offers. */
  resetBy?(context: FormContext): readonly string[];
  /** A further input above it, whose action ID is the field's name with LIST_SUFFIX. */
  above?(context: FormContext): InputBlock | undefined;
  /** What is wrong with what was entered. */
  problemIn?(value: FieldValue, context: FormLists): string | undefined;
  /** What is wrong with a value that isn't empty. */
  problemOf?(draft: FormDraft, today: string): string | undefined;
  /** Undefined to leave the field out, if it has nothing to offer. */
  draw(context: FormContext): Pick<InputBlock, 'element' | 'dispatch_action' | 'hint'> | undefined;
  read(value: FieldValue, context: FormContext): FormDraft;
};

export const isEmpty = (value: FormDraft[FieldName]): boolean =>
  Array.isArray(value) ? value.length === 0 : !value;

export type RequiredName = {
  [Name in FieldName]-?: undefined extends RequestForm[Name] ? never : Name;
}[Exclude<FieldName, 'isDraft'>];

/** The chosen type, as the service lists it now; without a choice, the only one. */
export function chosenType({ options, draft }: FormContext): RequestType | undefined {
  const { requestTypes } = options;
  if (!draft.requestType) return requestTypes.length === 1 ? requestTypes[0] : undefined;
  return requestTypes.find(({ id }) => id === draft.requestType?.id);
}

/** The products of the chosen type, or all products if it lists none. */
export function productsOf(context: FormContext): readonly string[] {
  const listed = chosenType(context)?.products ?? [];
  if (listed.length > 0) return listed;
  const { options, draft } = context;
  const partner = options.partnerName ?? partnerIn([draft.product ?? '']);
  return partner ? [...OWN_PRODUCTS, `${partner} Graphics`, `${partner} Plus`] : OWN_PRODUCTS;
}

const OWN_PRODUCTS = ['Graphics', 'Video', 'Graphics Video'];

const isOffered = (offered: readonly string[], names: readonly string[]): boolean =>
  names.length > 0 && asOffered(offered, names).length === names.length;

export function hasFittingValue({ name, offeredByType }: FormField, context: FormContext): boolean {
  const value = context.draft[name];
  if (isEmpty(value)) return false;
  return !offeredByType || isOffered(offeredByType(context), [value].flat().map(String));
}

type TextOptions = { maxLength?: number; multiline?: boolean };

export const textInput = (
  actionId: string,
  initial: string | undefined,
  { maxLength = PLAIN_TEXT_INPUT_MAX, multiline }: TextOptions = {},
) => ({
  type: 'plain_text_input' as const,
  action_id: actionId,
  max_length: maxLength,
  ...(multiline ? { multiline } : {}),
  ...(initial ? { initial_value: clip(initial, maxLength) } : {}),
});

export function readText(value: string | null | undefined): string | undefined {
  const text = typedText(value ?? '').trim();
  return isBlank(text) ? undefined : text;
}

/** Only Slack's editor writes the texts of a form. */
export const asRichText = (text: FormattedText): RichTextBlock => text as RichTextBlock;

export function readTypedList(value: string | null | undefined): string[] {
  return [...new Set((value ?? '').split(/[,\n]/).flatMap((part) => readText(part) ?? []))];
}

/** Slack's limit for a file_input, and for checkboxes (JSDoc of @slack/types). */
export const MAX_FILES = 10;

/** Without what `fields.ts` adds: its name, its label, and its section. */
export type Field = Omit<FormField, 'name' | 'label' | 'section'>;

export const textField = (
  name: 'title' | 'dimensions' | 'references' | 'referenceFilesNote' | 'additionalFilesNote',
  options: TextOptions = { multiline: true },
): Field => ({
  draw: ({ draft }) => ({ element: textInput(name, draft[name], options) }),
  read: ({ value }) => ({ [name]: readText(value) }),
});

export function noteField(name: 'referenceFilesNote' | 'additionalFilesNote'): Field {
  const field = textField(name);
  return {
    ...field,
    summary: ({ [name]: typed }) => typed && FILE_FIELDS[name].label,
    draw: (context) => (context.files || context.draft[name] ? field.draw(context) : undefined),
  };
}

export const richTextField = (name: 'description' | 'textCopy'): Field => ({
  draw: ({ draft: { [name]: initial } }) => ({
    element: {
      type: 'rich_text_input',
      action_id: name,
      ...(initial?.elements.length ? { initial_value: asRichText(initial) } : {}),
    },
  }),
  read: ({ rich_text_value: typed }) => ({
    [name]: typed && !richTextIsBlank(typed) ? typed : undefined,
  }),
});

/** One name, or several as formats, from a menu if the request type offers any. */
export function namesField(
  name: 'product' | 'software' | 'formats',
  offeredByType: (context: FormContext) => readonly string[],
): Field {
  const isList = name === 'formats';
  const asValue = (chosen: readonly string[] | undefined) => ({
    [name]: isList ? chosen : chosen?.[0],
  });
  return {
    offeredByType,
    choices: (context) => asChoices(offeredByType(context)),
    /** The first suggestion that the type offers completely, or else its only name. */
    suggest(suggestions, context) {
      const offered = offeredByType(context);
      const suggested = suggestions[name].map((one) => [one].flat());
      const fitting = suggested.find((one) => isOffered(offered, one));
      return asValue(fitting ?? (offered.length === 1 ? offered : undefined));
    },
    summary: ({ [name]: chosen = [] }) => escapeMrkdwn([chosen].flat().join(', ')),
    draw(context) {
      const offered = offeredByType(context);
      const chosen = [context.draft[name] ?? []].flat();
      if (offered.length === 0) return { element: textInput(name, chosen.join(', ')) };
      // Of a list, what isn't offered stays chosen if the menu is searchable.
      const picked = isList
        ? chosen
        : offered.filter((one) => offered.length === 1 || chosen.includes(one)).slice(0, 1);
      return { element: menuFor(name, asChoices(offered), asChoices(picked), { isList }) };
    },
    read(value, context) {
      const typed = isList ? readTypedList(value.value) : [readText(value.value) ?? []].flat();
      return asValue(typed.length > 0 ? typed : readNames(value, offeredByType(context)));
    },
  };
}

/**
 * Slack can't pre-fill a `file_input`, and doesn't document what it keeps of one in an update. So
 * files are listed above an empty input with a new ID, each with a checkbox that removes it.
 */
export function filesField(role: FileRole): Field {
  const { label } = FILE_FIELDS[role];
  const listId = role + LIST_SUFFIX;

  /** Those that are still ticked in the list, and the new ones. */
  function filesIn({ selected_options: ticked, files: uploaded }: FieldValue) {
    const all = [
      ...(ticked ?? []).map(({ value: id, text: name }) => ({ id, name: name.text })),
      ...(uploaded ?? []).flatMap(({ id, name }) => (id ? [{ id, name: name || id }] : [])),
    ];
    return [...new Map(all.map((file) => [file.id, file])).values()];
  }

  return {
    apiNames: [label],
    summary: ({ [role]: attached = [] }) =>
      attached.length > 0 ? `${label} (${attached.length})` : undefined,
    resetBy: ({ draft }) => (draft[role] ?? []).map(({ id }) => id),
    above({ draft: { [role]: attached = [] } }) {
      if (attached.length === 0) return undefined;
      const options = attached.slice(0, MAX_FILES).map(({ id, name }) => ({
        text: withoutEmoji(clip(wellFormed(name), OPTION_TEXT_MAX) || id),
        value: id,
      }));
      return {
        type: 'input',
        // Each list has an ID of its own, so that all files of a new one are ticked.
        block_id: `${listId}@${shortDigest(attached.map(({ id }) => id))}`,
        label: plainText(FILES.attached(label)),
        hint: plainText(FILES.attachedHint),
        optional: true,
        element: { type: 'checkboxes', action_id: listId, options, initial_options: options },
      };
    },
    draw({ draft, files: limits }) {
      const room = MAX_FILES - (draft[role]?.length ?? 0);
      if (!limits || room <= 0) return undefined;
      return { element: { type: 'file_input', action_id: role, max_files: room } };
    },
    read(value) {
      const attached = filesIn(value);
      return { [role]: attached.length > 0 ? attached : undefined };
    },
    /** As far as that is known at Send. The rest is checked right before the request is sent. */
    problemIn(value, { files: limits }) {
      if (filesIn(value).length > MAX_FILES) return FILES.tooMany(MAX_FILES);
      const maxBytes = limits?.maxBytes ?? Number.POSITIVE_INFINITY;
      const words = (value.files ?? []).flatMap((file) => {
        const { name = '', size = 0 } = file;
        const problem = problemOfKind(file) ?? (size > maxBytes ? 'too_large' : undefined);
        return problem ? [wordsForFile(problem, name, maxBytes)] : [];
      });
      return words.length > 0 ? words.join(' ') : undefined;
    },
  };
}
