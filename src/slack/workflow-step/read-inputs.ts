import type { FormDraft, RequestForm } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { type FieldName, productsOf } from '../request-form/draft.ts';
import { readText, readTypedList } from '../request-form/elements.ts';
import { FORM_FIELDS, TITLE_MAX } from '../request-form/fields.ts';
import { asChoices, type Choice, choiceOf } from '../request-form/options.ts';
import { checkDraft, type FieldProblems } from '../request-form/parse.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { STEP_PROBLEMS } from '../words/workflow-step.ts';

/** The form's field for each of the step's inputs, which are declared in manifest.yml. */
export const STEP_FIELDS = {
  title: 'title',
  request_type: 'requestType',
  product: 'product',
  description: 'description',
  brand: 'brand',
  sizes: 'dimensions',
  software: 'software',
  formats: 'formats',
  needed_by: 'neededBy',
  references: 'references',
  wording: 'textCopy',
  draft: 'isDraft',
  post_in: 'shareIn',
} as const satisfies Record<string, FieldName>;

type InputName = keyof typeof STEP_FIELDS;

/** In characters. A description must fit into a form again, if it has to be fixed. */
const LONGEST: Partial<Record<InputName, number>> = { title: TITLE_MAX, description: 12_000 };

/**
 * Reads the step's inputs, which have any shape: a workflow may fill them in from another app's step.
 *
 * @param options the service's lists; without them, choices are accepted as they are, since the
 *   service has the last word
 */
export function readInputs(
  inputs: Record<string, unknown>,
  context: { options: FormOptions | undefined; partnerName: string | undefined; now: Date },
): { form: RequestForm } | { problem: string } {
  const { options, partnerName, now } = context;
  const found: FieldProblems = {};
  const text = (name: InputName): string | undefined => {
    const value = inputs[name] ?? '';
    const max = LONGEST[name] ?? PLAIN_TEXT_INPUT_MAX;
    if (typeof value !== 'string') found[STEP_FIELDS[name]] = STEP_PROBLEMS.notText;
    else if (value.length > max) found[STEP_FIELDS[name]] = STEP_PROBLEMS.tooLong(max);
    return readText(String(value));
  };
  const richText = (name: InputName) => {
    const typed = text(name);
    return typed === undefined ? undefined : plainTextToRichText(typed);
  };
  /** The listed item that was chosen, or typed by name. */
  const listed = (name: InputName, items: readonly Choice[] | undefined): Choice | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const item = items && (choiceOf(items, value) ?? items.find((one) => one.name === value));
    if (items && !item) found[STEP_FIELDS[name]] = STEP_PROBLEMS.notOffered;
    return item ? { id: item.id, name: item.name } : { id: value, name: value };
  };

  const lists = options ?? { requestTypes: [], brands: undefined };
  const requestType = listed('request_type', options?.requestTypes);
  const products = productsOf({ options: lists, partnerName, draft: { requestType } });
  const draft: FormDraft = {
    title: text('title'),
    requestType,
    product: listed('product', options && asChoices(products))?.id,
    description: richText('description'),
    brand: listed('brand', options?.brands),
    dimensions: text('sizes'),
    software: text('software'),
    formats: readTypedList(text('formats')),
    neededBy: text('needed_by'),
    references: text('references'),
    textCopy: richText('wording'),
    // Work starts on anything else, so what is unclear is a draft.
    isDraft: Boolean(inputs.draft) && inputs.draft !== 'false',
    shareIn: text('post_in'),
  };
  // Posting to a person would be a direct message that nobody asked for.
  if (draft.shareIn && !CHANNEL_ID.test(draft.shareIn)) found.shareIn = STEP_PROBLEMS.notAChannel;
  const checked = checkDraft(draft, { options: lists, partnerName }, { now, found });
  if ('form' in checked) return checked;
  const [problem = ''] = FORM_FIELDS.flatMap(({ name, label, missing }) => {
    const why = checked.problems[name];
    if (why === undefined) return [];
    return why === missing ? STEP_PROBLEMS.missing(label) : STEP_PROBLEMS.invalid(label, why);
  });
  return { problem };
}

/** Public and private channels; people begin with U or W, direct messages with D. */
const CHANNEL_ID = /^[CG][A-Z0-9]{1,20}$/;
