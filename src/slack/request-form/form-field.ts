import type { InputBlock, RichTextBlock } from '@slack/types';
import type { Suggestions } from '../../requests/form-defaults.ts';
import { asOffered } from '../../requests/match-lists.ts';
import type {
  AttachedFile,
  FileRole,
  FormattedText,
  FormDraft,
  RequestForm,
} from '../../requests/request.ts';
import type { FieldValue, ViewValues } from '../surface/views.ts';
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
import { FIELDS, type FieldWords } from '../words/request-form.ts';
import { chosenType, type FieldName, type FormContext, type FormLists } from './draft.ts';
import { LIST_SUFFIX } from './ids.ts';
import {
  asChoices,
  type Choice,
  choiceMenu,
  readNames,
  shortDigest,
  withoutEmoji,
} from './options.ts';
import { problemOfKind } from './slack-files.ts';

/** A field of the form: how to draw it, how to read it, and what the service calls it. */
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
  /** The options of its menu, if it has one that isn't Slack's own. */
  choices?: (context: FormContext) => readonly Choice[];
  /** The names that the chosen request type offers; the field is reset when they change. */
  offeredByType?: (context: FormContext) => readonly string[];
  /** What to fill it with, if it is empty; undefined if nothing fits. */
  suggest?(suggestions: Suggestions, context: FormContext): FormDraft;
  /** What it is set to while it is hidden, as mrkdwn. */
  summary?(draft: FormDraft, context: FormContext): string | undefined;
  /** What else the input is reset by, besides the names that the type offers. */
  resetBy?(context: FormContext): readonly string[];
  /** A further input above it. */
  above?(context: FormContext): InputBlock | undefined;
  /** Instead of `read`: reads the field with the input above it, from all values; undefined if neither is shown. */
  readAll?(values: ViewValues): FormDraft | undefined;
  /** What is wrong with what was entered. */
  problemIn?(values: ViewValues, context: FormLists): string | undefined;
  /** What is wrong with a value that isn't empty. */
  problemOf?(draft: FormDraft, today: string): string | undefined;
  /** Undefined to leave the field out, if it has nothing to offer. */
  draw(context: FormContext): Pick<InputBlock, 'element' | 'dispatch_action' | 'hint'> | undefined;
  read?(value: FieldValue, context: FormContext): FormDraft;
};

export const isEmpty = (value: FormDraft[FieldName]): boolean =>
  Array.isArray(value) ? value.length === 0 : !value;

/** Fields that a request can't be sent without. */
export type RequiredName = {
  [Name in FieldName]-?: undefined extends RequestForm[Name] ? never : Name;
}[Exclude<FieldName, 'isDraft'>];

export const softwaresOf = (context: FormContext) => chosenType(context)?.softwares ?? [];
export const formatsOf = (context: FormContext) => chosenType(context)?.formats ?? [];

/** The first suggestion that the type offers completely, or else its only name. */
export const fittingOrOnly = (offered: readonly string[], suggested: readonly string[][]) =>
  suggested.find((names) => isOffered(offered, names)) ??
  (offered.length === 1 ? [...offered] : undefined);

const isOffered = (offered: readonly string[], names: readonly string[]) =>
  names.length > 0 && asOffered(offered, names).length === names.length;

/** Whether a field has a value, and its request type offers that. */
export function hasFittingValue({ name, offeredByType }: FormField, context: FormContext): boolean {
  const value = context.draft[name];
  if (isEmpty(value)) return false;
  return !offeredByType || isOffered(offeredByType(context), [value].flat().map(String));
}

const placeholderOf = (placeholder: string | undefined) =>
  placeholder ? { placeholder: plainText(placeholder) } : {};

type TextOptions = {
  maxLength?: number;
  multiline?: boolean;
  placeholder?: string | undefined;
};

export const textInput = (
  actionId: string,
  initial: string | undefined,
  { maxLength = PLAIN_TEXT_INPUT_MAX, multiline, placeholder }: TextOptions = {},
): InputBlock['element'] => ({
  type: 'plain_text_input',
  action_id: actionId,
  max_length: maxLength,
  ...(multiline ? { multiline } : {}),
  ...placeholderOf(placeholder),
  ...(initial ? { initial_value: clip(initial, maxLength) } : {}),
});

/** The typed text, trimmed; undefined if blank. */
export function readText(value: string | null | undefined): string | undefined {
  const text = typedText(value ?? '').trim();
  return isBlank(text) ? undefined : text;
}

/** Only Slack's editor writes the texts of a form. */
export const asRichText = (text: FormattedText): RichTextBlock => text as RichTextBlock;

/** Values separated by commas or lines. */
export function readTypedList(value: string | null | undefined): string[] {
  return [...new Set((value ?? '').split(/[,\n]/).flatMap((part) => readText(part) ?? []))];
}

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

export const fieldInput = (name: FieldName, initial: string | undefined, options?: TextOptions) => {
  const words: FieldWords = FIELDS[name];
  return textInput(name, initial, { placeholder: words.placeholder, ...options });
};

type TextName =
  | 'title'
  | 'dimensions'
  | 'references'
  | 'referenceFilesNote'
  | 'additionalFilesNote';

export const textField = (name: TextName, options?: TextOptions) => ({
  draw: ({ draft }: FormContext) => ({ element: fieldInput(name, draft[name], options) }),
  read: ({ value }: FieldValue): FormDraft => ({ [name]: readText(value) }),
});

export const richTextField = (name: 'description' | 'textCopy') => ({
  draw({ draft }: FormContext) {
    const { placeholder }: FieldWords = FIELDS[name];
    const initial = draft[name];
    const element: InputBlock['element'] = {
      type: 'rich_text_input',
      action_id: name,
      ...placeholderOf(placeholder),
      ...(initial?.elements.length ? { initial_value: asRichText(initial) } : {}),
    };
    return { element };
  },
  read: ({ rich_text_value: text }: FieldValue): FormDraft => ({
    [name]: text && !richTextIsBlank(text) ? text : undefined,
  }),
});

type NamesOf = (context: FormContext) => readonly string[];

/** A menu of names that depends on the request type. */
export const menuOfNames = (offeredByType: NamesOf) => ({
  offeredByType,
  choices: (context: FormContext) => asChoices(offeredByType(context)),
});

/** A field with one name, from a menu if the type offers any. */
export const nameField = (name: 'product' | 'software', namesOf: NamesOf) => ({
  ...menuOfNames(namesOf),
  suggest(suggestions: Suggestions, context: FormContext): FormDraft {
    const suggested = suggestions[name].map((one) => [one]);
    return { [name]: fittingOrOnly(namesOf(context), suggested)?.[0] };
  },
  summary: (draft: FormDraft) => draft[name] && escapeMrkdwn(draft[name]),
  draw(context: FormContext) {
    const names = namesOf(context);
    const chosen = context.draft[name];
    if (names.length === 0) return { element: fieldInput(name, chosen) };
    const [picked] = asChoices(names.filter((one) => one === chosen || names.length === 1));
    return { element: choiceMenu(name, asChoices(names), picked) };
  },
  read: (value: FieldValue, context: FormContext): FormDraft => ({
    [name]: readText(value.value) ?? readNames(value, namesOf(context))[0],
  }),
});

// Fields for files.

/** Slack's limit for a file_input, and for checkboxes (JSDoc of @slack/types). */
export const MAX_FILES = 10;

/**
 * A field for files. Slack can't pre-fill a `file_input`, and doesn't document what it keeps of one when a view is
 * updated. So in a form that is drawn with files, they are listed above the input, each with a checkbox that removes
 * it, and the input is empty, under an ID of its own.
 */
export function fileField(role: FileRole) {
  const { label } = FILE_FIELDS[role];
  const listId = role + LIST_SUFFIX;

  function above({ draft }: FormContext): InputBlock | undefined {
    const attached = draft[role] ?? [];
    if (attached.length === 0) return undefined;
    const options = attached.slice(0, MAX_FILES).map(({ id, name }) => ({
      text: withoutEmoji(clip(wellFormed(name), OPTION_TEXT_MAX) || id),
      value: id,
    }));
    const all = { options, initial_options: options };
    return {
      type: 'input',
      // Each list has an ID of its own, so that all files of a new one are ticked.
      block_id: `${listId}@${shortDigest(attached.map(({ id }) => id))}`,
      label: plainText(FILES.attached(label)),
      hint: plainText(FILES.attachedHint),
      optional: true,
      element: { type: 'checkboxes', action_id: listId, ...all },
    };
  }

  const uploadedIn = (values: ViewValues) => valueIn(values, role)?.files ?? [];

  function filesIn(values: ViewValues): AttachedFile[] {
    const ticked = valueIn(values, listId)?.selected_options ?? [];
    const all = [
      ...ticked.map(({ value: id, text }) => ({ id, name: text.text })),
      ...uploadedIn(values).flatMap(({ id, name }) => (id ? [{ id, name: name || id }] : [])),
    ];
    return [...new Map(all.map((file) => [file.id, file])).values()];
  }

  return {
    apiNames: [label],
    summary: ({ [role]: attached = [] }: FormDraft) =>
      attached.length > 0 ? `${label} (${attached.length})` : undefined,
    resetBy: ({ draft }: FormContext) => (draft[role] ?? []).map(({ id }) => id),
    above,
    draw({ draft, files }: FormContext) {
      const room = MAX_FILES - (draft[role]?.length ?? 0);
      if (!files || room <= 0) return undefined;
      const element = { type: 'file_input' as const, action_id: role, max_files: room };
      return { element };
    },
    readAll(values: ViewValues): FormDraft | undefined {
      if (!valueIn(values, listId) && !valueIn(values, role)) return undefined;
      const files = filesIn(values);
      return { [role]: files.length > 0 ? files : undefined };
    },
    /** As far as that is known at Send. The rest is checked right before the request is sent. */
    problemIn(values: ViewValues, { files }: FormLists): string | undefined {
      if (filesIn(values).length > MAX_FILES) return FILES.tooMany(MAX_FILES);
      const maxBytes = files?.maxBytes ?? Number.POSITIVE_INFINITY;
      const words = uploadedIn(values).flatMap((file) => {
        const { name = '', size = 0 } = file;
        const problem = problemOfKind(file) ?? (size > maxBytes ? 'too_large' : undefined);
        return problem ? [wordsForFile(problem, name, maxBytes)] : [];
      });
      return words.length > 0 ? words.join(' ') : undefined;
    },
  };
}

const valueIn = (values: ViewValues, actionId: string): FieldValue | undefined =>
  Object.values(values).find((actions) => Object.hasOwn(actions, actionId))?.[actionId];

/** The text about files of one role. */
export function noteField(name: 'referenceFilesNote' | 'additionalFilesNote') {
  const field = textField(name, { multiline: true });
  return {
    ...field,
    summary: (draft: FormDraft) => draft[name] && FILE_FIELDS[name].label,
    draw: (context: FormContext) =>
      context.files || context.draft[name] ? field.draw(context) : undefined,
  };
}
