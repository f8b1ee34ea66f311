import type { RequestForm } from '../../requests/request.ts';
import { VIEW_BYTES_MAX } from '../text/limits.ts';
import type { ViewValues } from '../views/view-values.ts';
import { fieldValue } from './blocks-of-fields.ts';
import {
  chosenType,
  type FieldName,
  type FormContext,
  type FormDraft,
  productsOf,
} from './draft.ts';
import { chosenValues } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';

export type FieldProblems = Partial<Record<FieldName, string>>;

export type ParsedForm =
  | { form: RequestForm }
  /** Words for each field to mend, and what stands in the form. */
  | { problems: FieldProblems; draft: FormDraft };

/**
 * The most that the rest of the view takes, in bytes: five menus (MENU_BYTES_MAX), twice where several can be
 * chosen, or CHOSEN_MAX chosen options of up to 640 bytes; words about each field, a notice, and metadata of
 * up to 60,000 bytes together; labels and hints.
 */
const VIEW_FRAME_BYTES = 150_000;
/** What was typed must fit into a view again, should it have to be mended. */
const TYPED_BYTES_MAX = VIEW_BYTES_MAX - VIEW_FRAME_BYTES;

/** What stands in the form, however incomplete. The type is read first: others depend on it. */
export function readDraft(values: ViewValues, context: Omit<FormContext, 'draft'>): FormDraft {
  let draft: FormDraft = {};
  for (const field of FORM_FIELDS) {
    const found = fieldValue(field, values);
    if (found) draft = { ...draft, ...field.read(found.value, { ...context, draft }) };
  }
  return draft;
}

/**
 * Reads a submitted form. Never throws for what a person typed.
 *
 * @param context.options what the service offers as far as it is in memory: a choice that is not
 *   listed is taken at its word, since the service has the last one
 */
export function parseForm(values: ViewValues, context: Omit<FormContext, 'draft'>): ParsedForm {
  const draft = readDraft(values, context);
  const problems = { ...missingFields(draft), ...unreadChoices(values, draft, context) };
  const isListed = chosenType({ ...context, draft }) !== undefined;
  if (draft.product && isListed && !productsOf({ ...context, draft }).includes(draft.product)) {
    problems.product = 'This product does not go with the request type. Choose again.';
  }
  if (typedBytes(draft) > TYPED_BYTES_MAX) {
    problems.description = 'Description and text copy are too long together. Shorten one of them.';
  }
  const form = Object.keys(problems).length === 0 ? complete(draft) : undefined;
  return form ? { form } : { problems, draft };
}

function missingFields(draft: FormDraft): FieldProblems {
  const problems: FieldProblems = {};
  for (const { name, missing } of FORM_FIELDS) {
    const value = draft[name];
    const empty = Array.isArray(value) ? value.length === 0 : !value;
    if (missing && empty) problems[name] = missing;
  }
  return problems;
}

/** Choices that the lists at hand can't tell: they are not lost silently. */
function unreadChoices(
  values: ViewValues,
  draft: FormDraft,
  { options }: Omit<FormContext, 'draft'>,
): FieldProblems {
  const problems: FieldProblems = {};
  for (const field of FORM_FIELDS) {
    const found = fieldValue(field, values);
    const read = draft[field.name];
    const count = Array.isArray(read) ? read.length : Number(Boolean(read));
    if (!found || chosenValues(found.value).length <= count) continue;
    const isKnown = field.name === 'brand' ? options.brands : options.requestTypes.length > 0;
    problems[field.name] = isKnown ? NOT_LISTED : NOT_READABLE;
  }
  return problems;
}

const NOT_LISTED = 'Your design service no longer offers this. Choose again.';
const NOT_READABLE =
  'Your design service can’t be reached to look this choice up. Press Send again in a moment.';

/** @param draft with a value in every field that has to have one */
const complete = (draft: FormDraft): RequestForm | undefined => {
  const form = { ...draft, isDraft: draft.isDraft ?? false };
  return isComplete(form) ? form : undefined;
};

const isComplete = (draft: FormDraft): draft is RequestForm =>
  Object.keys(missingFields(draft)).length === 0;

const typedBytes = (draft: FormDraft) => Buffer.byteLength(JSON.stringify(draft));

/** The same words by block, as Slack's `response_action: errors` takes them. */
export function problemsByBlock(
  problems: FieldProblems,
  values: ViewValues,
): Record<string, string> {
  const byBlock: Record<string, string> = {};
  for (const field of FORM_FIELDS) {
    const words = problems[field.name];
    const found = words === undefined ? undefined : fieldValue(field, values);
    if (words !== undefined && found) byBlock[found.blockId] = words;
  }
  return byBlock;
}

/**
 * The service's `details` by field of the form; what belongs to none of them stands in `others`. How
 * they name a field is not shown (api.md, section 7): `typeId`, `type_id`, `data.typeId`, `formats[0]`.
 */
export function problemsFromService(details: Record<string, string>): {
  problems: FieldProblems;
  others: string[];
} {
  const problems: FieldProblems = {};
  const others: string[] = [];
  for (const [key, words] of Object.entries(details)) {
    const name = fieldMeant(key);
    if (name === undefined) others.push(`${key}: ${words}`);
    else problems[name] = [problems[name], words].filter(Boolean).join('; ');
  }
  return { problems, others };
}

/** The innermost part of a path that names a field. */
function fieldMeant(path: string): FieldName | undefined {
  const parts = path
    .split(/[^\w-]+/)
    .map(lettersOf)
    .toReversed();
  for (const part of parts) {
    const field = FORM_FIELDS.find(({ apiNames }) => apiNames.map(lettersOf).includes(part));
    if (field) return field.name;
  }
  return undefined;
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');
