import type { ViewOutput } from '@slack/bolt';
import { z } from 'zod';
import { isUnlistedForm } from '../../requests/match-lists.ts';
import type { FormDraft, RequestForm } from '../../requests/request.ts';
import type { FieldValue, ViewValues } from '../interaction/views.ts';
import { VIEW_BYTES_MAX } from '../text/limits.ts';
import { plainTextToRichText, wordsOf } from '../text/rich-text-to-html.ts';
import { PROBLEMS } from '../words/request-form.ts';
import { FORM_FIELDS } from './fields.ts';
import {
  asRichText,
  chosenType,
  type FieldName,
  type FormField,
  type FormLists,
  isEmpty,
  productsOf,
} from './form-field.ts';
import { FORM_ACTIONS, LIST_SUFFIX } from './ids.ts';

/** A view of the form, as Slack sends it with whatever happens in it. */
export type ShownForm = Pick<ViewOutput, 'private_metadata' | 'blocks' | 'state'>;
type Blocks = ShownForm['blocks'];

/** What a view carries along. Everything else is stored under the form's ID. */
export const metadataOf = (formId: string, type?: string): string =>
  JSON.stringify({ formId, type });

const formId = z.object({ formId: z.string().min(1).max(64) });
const shownType = z.object({ type: z.string().optional() });

/** @throws if the view isn't of a form; Slack returns its metadata unchanged */
export const formIdOf = (view: Pick<ShownForm, 'private_metadata'>): string =>
  formId.parse(JSON.parse(view.private_metadata)).formId;

/**
 * The option value of the request type whose fields a form or a preset shows. What is stored may be
 * for another type, after a redraw that Slack hasn't shown.
 */
export const shownTypeOf = (view: Pick<ShownForm, 'private_metadata'>): string | undefined =>
  shownType.parse(JSON.parse(view.private_metadata)).type;

/** The fields that a view shows, even empty ones, which Slack may leave out of its values. */
export const fieldsAmong = (blocks: Blocks): ReadonlySet<string> =>
  new Set(
    blocks.flatMap((block) =>
      'element' in block && block.element && 'action_id' in block.element
        ? (block.element.action_id?.replace(LIST_SUFFIX, '') ?? [])
        : [],
    ),
  );

/** The current values of a field's input and of the list above it, under any of their block IDs. */
function inputsOf({ name }: FormField, values: ViewValues) {
  const inputs = [name + LIST_SUFFIX, name].flatMap((id) =>
    Object.entries(values).flatMap(([blockId, { [id]: value }]) =>
      value && blockId.split('@')[0] === id ? [{ id, blockId, value }] : [],
    ),
  );
  if (inputs.length === 0) return undefined;
  const value: FieldValue = Object.assign({}, ...inputs.map((input) => input.value));
  /** Undefined if there is only the list. */
  const blockId = inputs.find(({ id }) => id === name)?.blockId;
  return { blockId, value };
}

/** Whether a view hides fields, whose values are only in the stored form. */
export const hidesFields = (blocks: Blocks): boolean =>
  JSON.stringify(blocks).includes(`"action_id":"${FORM_ACTIONS.moreOptions}"`);

export function hiddenIn(blocks: Blocks, stored: FormDraft): FormDraft {
  const shown = fieldsAmong(blocks);
  return Object.fromEntries(Object.entries(stored).filter(([name]) => !shown.has(name)));
}

export type FieldProblems = Partial<Record<FieldName, string>>;

type ParsedForm = { form: RequestForm } | { problems: FieldProblems; draft: FormDraft };

/**
 * Upper bound for the rest of the view, in bytes: five menus (MENU_BYTES_MAX; twice for multiple choices, or CHOSEN_MAX
 * chosen options of up to 640 bytes); 60,000 for problems, a notice, and metadata; labels and hints.
 */
const VIEW_FRAME_BYTES = 150_000;
/** What was typed must fit into a view again, in case it has to be fixed. */
const TYPED_BYTES_MAX = VIEW_BYTES_MAX - VIEW_FRAME_BYTES;

/** Reads the form, complete or not. The type comes first, since other fields depend on it. */
export function readDraft(values: ViewValues, context: FormLists, hidden: FormDraft = {}) {
  let draft = hidden;
  for (const field of FORM_FIELDS) {
    const inputs = inputsOf(field, values);
    if (inputs) draft = { ...draft, ...field.read(inputs.value, { ...context, draft }) };
  }
  return draft;
}

/**
 * Checks a submitted form, whose description may have begun as one of `briefs`. Accepts choices
 * that aren't listed, since the service has the last word. Never throws because of user input.
 */
export function parseForm(
  draft: FormDraft,
  values: ViewValues,
  lists: FormLists,
  { now, briefs = [] }: { now: Date; briefs?: readonly string[] },
): ParsedForm {
  const found = problemsOf((field) => {
    const inputs = inputsOf(field, values);
    return inputs && field.problemIn?.(inputs.value, lists);
  });
  const { description, isDraft } = draft;
  const words = description && wordsOf(asRichText(description));
  const isTemplate = briefs.some((brief) => words === wordsOf(plainTextToRichText(brief)));
  // A draft may be finished later.
  if (isTemplate && !isDraft) found.description = PROBLEMS.unanswered;
  return checkDraft(draft, lists, { now, found });
}

/** Checks what a form or a step of a workflow contains; `found` are problems of its inputs. */
export function checkDraft(
  draft: FormDraft,
  lists: FormLists,
  { now, found }: { now: Date; found: FieldProblems },
): ParsedForm {
  const today = earliestToday(now);
  const problems = {
    ...missingFields(draft),
    ...problemsOf(({ name, problemOf }) =>
      isEmpty(draft[name]) ? undefined : problemOf?.(draft, today),
    ),
    ...found,
  };
  const context = { ...lists, draft };
  const isListed = chosenType(context) !== undefined;
  if (draft.product && isListed && !productsOf(context).includes(draft.product)) {
    problems.product = PROBLEMS.otherProduct;
  }
  if (Buffer.byteLength(JSON.stringify(draft)) > TYPED_BYTES_MAX) {
    problems.description = PROBLEMS.tooLong;
  }
  const { product = '', dimensions = '', software = '', formats = [], isDraft = false } = draft;
  if (Object.keys(problems).length > 0) return { problems, draft };
  // No field that a request needs is missing.
  return { form: { ...draft, product, dimensions, software, formats, isDraft } as RequestForm };
}

function problemsOf(problemOf: (field: FormField) => string | undefined): FieldProblems {
  const problems: FieldProblems = {};
  for (const field of FORM_FIELDS) {
    const problem = problemOf(field);
    if (problem) problems[field.name] = problem;
  }
  return problems;
}

/** The fields of a type appear, and are asked for, once it is chosen. */
export const missingFields = (draft: FormDraft): FieldProblems =>
  problemsOf(({ name, missing, section }) => {
    const { requestType } = draft;
    const isAsked = section !== 'type' || (requestType && !isUnlistedForm({ requestType }));
    return isAsked && isEmpty(draft[name]) ? missing : undefined;
  });

/** Today in UTC−12, where it is still today the longest. */
const earliestToday = (now: Date) =>
  new Date(now.getTime() - 12 * 60 * 60_000).toISOString().slice(0, 'YYYY-MM-DD'.length);

export function problemsByBlock(problems: FieldProblems, values: ViewValues) {
  const byBlock: Record<string, string> = {};
  for (const field of FORM_FIELDS) {
    const problem = problems[field.name];
    const blockId = problem && inputsOf(field, values)?.blockId;
    if (problem && blockId) byBlock[blockId] = problem;
  }
  return byBlock;
}

/**
 * The service's error `details` by form field; anything else goes to `others`. The API doesn't
 * document how it names fields, so `typeId`, `type_id`, `data.typeId`, and `formats[0]` all count.
 */
export function problemsFromService(details: Record<string, string>) {
  const problems: FieldProblems = {};
  const others: string[] = [];
  for (const [key, problem] of Object.entries(details)) {
    const name = fieldForPath(key);
    if (name === undefined) others.push(`${key}: ${problem}`);
    else problems[name] = [problems[name], problem].filter(Boolean).join('; ');
  }
  return { problems, others };
}

/** The field that the innermost matching part of a path names. */
function fieldForPath(path: string): FieldName | undefined {
  const parts = path
    .split(/[^\w-]+/)
    .map(lettersOf)
    .toReversed();
  for (const part of parts) {
    const field = FORM_FIELDS.find(({ name, apiNames = [] }) =>
      [name, ...apiNames].map(lettersOf).includes(part),
    );
    if (field) return field.name;
  }
  return undefined;
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
