import type { RequestForm } from '../../requests/request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { productsOf } from '../request-form/draft.ts';
import { TITLE_MAX } from '../request-form/fields.ts';
import { asChoices, type Choice, choiceOf } from '../request-form/options.ts';
import { TYPED_BYTES_MAX } from '../request-form/parse.ts';
import { typedText } from '../text/input.ts';
import { isBlank, PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { STEP_INPUTS, STEP_PROBLEMS } from '../words/workflow-step.ts';

type InputName = keyof typeof STEP_INPUTS;

/** Longest description, in characters; it must fit into a form again, if it has to be fixed. */
const DESCRIPTION_MAX = 12_000;

const LONGEST: Record<InputName, number> = {
  title: TITLE_MAX,
  request_type: PLAIN_TEXT_INPUT_MAX,
  product: PLAIN_TEXT_INPUT_MAX,
  description: DESCRIPTION_MAX,
  brand: PLAIN_TEXT_INPUT_MAX,
  sizes: PLAIN_TEXT_INPUT_MAX,
  software: PLAIN_TEXT_INPUT_MAX,
  formats: PLAIN_TEXT_INPUT_MAX,
  wording: PLAIN_TEXT_INPUT_MAX,
};

/** What is wrong with the step's inputs, as a sentence. */
class InputProblem extends Error {}

/**
 * Reads the step's inputs, which have any shape: a workflow may fill them in from another app's step.
 *
 * @param options the service's lists; without them, choices are accepted as they are, since the
 *   service has the last word
 */
export function readInputs(
  inputs: Record<string, unknown>,
  { options, partnerName }: { options: FormOptions | undefined; partnerName: string | undefined },
): { form: RequestForm } | { problem: string } {
  const optional = (name: InputName): string | undefined => {
    const value = inputs[name];
    const text = typeof value === 'string' ? typedText(value).trim() : '';
    if (text.length > LONGEST[name]) {
      throw new InputProblem(STEP_PROBLEMS.tooLong(STEP_INPUTS[name], LONGEST[name]));
    }
    return isBlank(text) ? undefined : text;
  };
  const required = (name: InputName): string => {
    const text = optional(name);
    if (text === undefined) throw new InputProblem(STEP_PROBLEMS.missing(STEP_INPUTS[name]));
    return text;
  };
  /** The listed item that was chosen, or typed by name. */
  const listed = <Item extends Choice>(
    name: InputName,
    value: string,
    items: readonly Item[] | undefined,
  ): Choice => {
    const found = items && (choiceOf(items, value) ?? items.find((item) => item.name === value));
    if (items && !found) throw new InputProblem(STEP_PROBLEMS.notOffered(STEP_INPUTS[name]));
    return found ? { id: found.id, name: found.name } : { id: value, name: value };
  };

  try {
    const requestType = listed('request_type', required('request_type'), options?.requestTypes);
    const products =
      options && asChoices(productsOf({ options, partnerName, draft: { requestType } }));
    const brand = optional('brand');
    const wording = optional('wording');
    const form: RequestForm = {
      title: required('title'),
      requestType,
      product: listed('product', required('product'), products).id,
      description: plainTextToRichText(required('description')),
      brand: brand === undefined ? undefined : listed('brand', brand, options?.brands),
      dimensions: required('sizes'),
      software: required('software'),
      formats: namesIn(required('formats')),
      textCopy: wording === undefined ? undefined : plainTextToRichText(wording),
      isDraft: false,
      shareIn: channelIn(inputs.post_in),
    };
    const bytes = Buffer.byteLength(JSON.stringify(form));
    return bytes > TYPED_BYTES_MAX ? { problem: STEP_PROBLEMS.allTooLong } : { form };
  } catch (error) {
    if (error instanceof InputProblem) return { problem: error.message };
    throw error;
  }
}

/** Posting to a person would be a direct message that nobody asked for. */
function channelIn(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && CHANNEL_ID.test(value)) return value;
  throw new InputProblem(STEP_PROBLEMS.notAChannel);
}

/** Public and private channels; people begin with U or W, direct messages with D. */
const CHANNEL_ID = /^[CG][A-Z0-9]{1,20}$/;

const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
