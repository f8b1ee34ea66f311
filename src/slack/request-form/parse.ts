import { isUnlistedForm } from '../../requests/match-lists.ts';
import type { FormDraft, RequestForm } from '../../requests/request.ts';
import type { ViewValues } from '../surface/views.ts';
import { VIEW_BYTES_MAX } from '../text/limits.ts';
import { wordsOf } from '../text/rich-text-to-html.ts';
import { PROBLEMS } from '../words/request-form.ts';
import { chosenType, type FieldName, type FormLists, productsOf } from './draft.ts';
import { asRichText, chosenValues, nonBlankLines } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { type FormField, isEmpty } from './form-field.ts';
import { fieldValue, hiddenIn, type ShownForm } from './shown-form.ts';

export type FieldProblems = Partial<Record<FieldName, string>>;

type ParsedForm =
  | { form: RequestForm }
  /** What is wrong with each field, and what was typed. */
  | { problems: FieldProblems; draft: FormDraft };

/**
 * Upper bound for the rest of the view, in bytes: five menus (MENU_BYTES_MAX; twice for multiple
 * choices, or CHOSEN_MAX chosen options of up to 640 bytes); 60,000 for problems, a notice, and
 * metadata; labels and hints.
 */
const VIEW_FRAME_BYTES = 150_000;
/** What was typed must fit into a view again, in case it has to be fixed. */
const TYPED_BYTES_MAX = VIEW_BYTES_MAX - VIEW_FRAME_BYTES;

/** Reads the form, complete or not. The type comes first, since other fields depend on it. */
export function readDraft(
  values: ViewValues,
  context: FormLists,
  hidden: FormDraft = {},
): FormDraft {
  let draft = hidden;
  for (const field of FORM_FIELDS) {
    const found = fieldValue(field, values);
    const all = field.readAll?.(values);
    if (all) draft = { ...draft, ...all };
    else if (found) draft = { ...draft, ...field.read(found.value, { ...context, draft }) };
  }
  return draft;
}

/** What a form contains now, with what is stored of the fields that the view doesn't show. */
export const draftIn = (
  { state, blocks }: Pick<ShownForm, 'state' | 'blocks'>,
  lists: FormLists,
  stored: FormDraft,
): FormDraft => readDraft(state.values, lists, hiddenIn(blocks, stored));

/**
 * Parses a submitted form. Never throws because of user input. A choice that isn't listed is accepted, since the
 * service has the last word.
 *
 * @param also.briefs the templates that a description may have started with
 */
export function parseForm(
  values: ViewValues,
  lists: FormLists,
  also: { hidden?: FormDraft | undefined; now: Date; briefs?: readonly string[] | undefined },
): ParsedForm {
  const { hidden, now, briefs = [] } = also;
  const draft = readDraft(values, lists, hidden);
  // A draft may be finished later.
  const isTemplate = !draft.isDraft && briefs.some((brief) => isUnanswered(draft, brief));
  const found = {
    ...problemsOf(
      (field) => unresolvedChoice(field, values, draft, lists) ?? field.problemIn?.(values, lists),
    ),
    ...(isTemplate ? { description: PROBLEMS.unanswered } : {}),
  };
  const shown = new Set(Object.values(values).flatMap(Object.keys));
  return checkDraft(draft, lists, { now, shown, found });
}

/**
 * Checks what was entered, in the form or in a step of a workflow.
 *
 * @param also.shown the fields that a person sees, if any
 * @param also.found what is wrong with how it was entered
 */
export function checkDraft(
  draft: FormDraft,
  lists: FormLists,
  { now, shown, found = {} }: { now: Date; shown?: ReadonlySet<string>; found?: FieldProblems },
): ParsedForm {
  const today = earliestToday(now);
  const problems = {
    ...missingFields(draft, shown),
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
  const form = { ...draft, product, dimensions, software, formats, isDraft };
  return Object.keys(problems).length === 0 && isComplete(form) ? { form } : { problems, draft };
}

const isComplete = (draft: FormDraft): draft is RequestForm =>
  Object.keys(missingFields(draft)).length === 0;

function problemsOf(problemOf: (field: FormField) => string | undefined): FieldProblems {
  const problems: FieldProblems = {};
  for (const field of FORM_FIELDS) {
    const problem = problemOf(field);
    if (problem) problems[field.name] = problem;
  }
  return problems;
}

/** Whether a description is nothing but lines of the template. */
function isUnanswered({ description }: FormDraft, brief: string): boolean {
  if (!description) return false;
  let own = ` ${wordsOf(asRichText(description))} `;
  const lines = nonBlankLines(brief).toSorted((one, other) => other.length - one.length);
  for (const line of lines) own = own.replace(line.split(/\s+/).join(' '), ' ');
  return !/[\p{L}\p{N}]/u.test(own);
}

/** @param shown fields that a person sees, whose type may not be chosen yet */
export const missingFields = (
  draft: FormDraft,
  shown: ReadonlySet<string> = new Set(),
): FieldProblems =>
  problemsOf(({ name, missing, section }) => {
    const { requestType } = draft;
    // Its fields appear once a type is chosen.
    const isAsked = requestType ? !isUnlistedForm({ requestType }) : shown.has(name);
    if (section === 'type' && !isAsked) return undefined;
    return isEmpty(draft[name]) ? missing : undefined;
  });

/** Where the day begins last (UTC−12): a day is over only if it is over for everyone. */
const earliestToday = (now: Date) =>
  new Date(now.getTime() - 12 * 60 * 60_000).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** A choice whose digest the cached lists don't resolve: reported, so that it isn't silently dropped. */
function unresolvedChoice(
  field: FormField,
  values: ViewValues,
  draft: FormDraft,
  { options }: FormLists,
): string | undefined {
  const found = fieldValue(field, values);
  const read = draft[field.name];
  const count = Array.isArray(read) ? read.length : Number(Boolean(read));
  if (!found || chosenValues(found.value).length <= count) return undefined;
  const isLoaded = field.name === 'brand' ? options.brands : options.requestTypes.length > 0;
  return isLoaded ? PROBLEMS.notListed : PROBLEMS.notReadable;
}

/** The problems by block ID, for `response_action: errors`. */
export function problemsByBlock(
  problems: FieldProblems,
  values: ViewValues,
): Record<string, string> {
  const byBlock: Record<string, string> = {};
  for (const field of FORM_FIELDS) {
    const problem = problems[field.name];
    const found = problem === undefined ? undefined : fieldValue(field, values);
    if (problem !== undefined && found) byBlock[found.blockId] = problem;
  }
  return byBlock;
}

/**
 * The service's error `details` by form field; anything else goes to `others`. The API doesn't
 * document how it names fields, so `typeId`, `type_id`, `data.typeId`, and
 * `formats[0]` are all understood.
 */
export function problemsFromService(details: Record<string, string>): {
  problems: FieldProblems;
  others: string[];
} {
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
