import type { Answers } from './answers.ts';
import { productsOf, type ReferenceLists } from './resources.ts';

/** The `data` of a valid `POST /card` (api.md 4.1). */
type NewCard = {
  title: string;
  description: string;
  typeId: string;
  product: string;
  dimension: string;
  software: string;
  fileFormats: string;
  isDraft: boolean;
  textCopy: string;
  brandId: string | null;
  textCopyFiles: unknown[];
  additionalFiles: unknown[];
  referenceFiles: unknown[];
};

export type Validation =
  | { ok: true; card: NewCard; sent: Record<string, unknown> }
  | { ok: false; message: string; details?: Record<string, string> };

type Fields = Record<string, unknown>;

const REQUIRED_TEXTS = [
  'title',
  'description',
  'typeId',
  'product',
  'dimension',
  'software',
  'fileFormats',
];
const OPTIONAL_TEXTS = ['textCopy', 'brandId', 'additionalFilesNote', 'referenceFilesNote'];
const FILE_LISTS = ['textCopyFiles', 'additionalFiles', 'referenceFiles'];
const KNOWN = new Set([...REQUIRED_TEXTS, ...OPTIONAL_TEXTS, ...FILE_LISTS, 'isDraft']);

/**
 * Validates a parsed `POST /card` body: `{ data: … }` and nothing else, with every field of the type that api.md
 * 4.1 gives, and no unknown fields. `details` names each invalid field.
 */
export function validateNewCard(
  body: unknown,
  context: {
    referenceLists: ReferenceLists;
    partnerName: string;
    answers: Pick<Answers, 'fileElement'>;
  },
): Validation {
  const { referenceLists, partnerName, answers } = context;
  if (!isObject(body) || !isObject(body.data) || Object.keys(body).length !== 1) {
    return { ok: false, message: 'The body must be an object with the single key "data".' };
  }
  const data = body.data;
  const errors: [string, string | undefined][] = [
    ...REQUIRED_TEXTS.map((name): [string, string | undefined] => [name, requiredText(data, name)]),
    ...OPTIONAL_TEXTS.map((name): [string, string | undefined] => [name, optionalText(data, name)]),
    ...FILE_LISTS.map((name): [string, string | undefined] => [
      name,
      fileList(data, name, answers.fileElement),
    ]),
    ['isDraft', draftFlag(data)],
    ...Object.keys(data)
      .filter((name) => !KNOWN.has(name))
      .map((name): [string, string] => [name, `${name} is not a field of a card`]),
  ];
  const shape = errors.filter((error) => error[1] !== undefined);
  const refused = new Set(shape.map(([name]) => name));
  const references = referenceErrors(data, referenceLists, partnerName).filter(
    ([name]) => !refused.has(name),
  );
  const details = [...shape, ...references];
  if (details.length > 0) {
    return {
      ok: false,
      message: 'Some fields are not valid.',
      details: Object.fromEntries(details.map(([name, text]) => [name, text ?? ''])),
    };
  }
  return { ok: true, card: newCardOf(data), sent: data };
}

function requiredText(data: Fields, name: string): string | undefined {
  const value = data[name];
  if (value === undefined) return `${name} is required`;
  if (typeof value !== 'string') return `${name} must be a string`;
  return value.trim() === '' ? `${name} must not be blank` : undefined;
}

function optionalText(data: Fields, name: string): string | undefined {
  const value = data[name];
  return value === undefined || typeof value === 'string' ? undefined : `${name} must be a string`;
}

function fileList(data: Fields, name: string, element: Answers['fileElement']): string | undefined {
  const value = data[name];
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return `${name} must be an array`;
  const isFine = value.every((one) => element === 'any' || shapeOf(one) === element);
  return isFine ? undefined : `each of ${name} must be ${element}`;
}

function shapeOf(element: unknown): string {
  if (typeof element === 'string') return 'url';
  return isObject(element) && typeof element.url === 'string' ? 'object' : 'unknown';
}

function draftFlag(data: Fields): string | undefined {
  const value = data.isDraft;
  const fine = value === undefined || typeof value === 'boolean';
  return fine ? undefined : 'isDraft must be true or false';
}

/** The problems with fields that refer to the reference lists, given that they are texts. */
function referenceErrors(
  data: Fields,
  referenceLists: ReferenceLists,
  partnerName: string,
): [string, string][] {
  const errors: [string, string][] = [];
  const requestType = referenceLists.requestTypes.find((type) => type.id === data.typeId);
  if (!requestType) errors.push(['typeId', 'typeId is not the id of a request type']);
  const enumeration = productsOf(partnerName);
  const offered = requestType?.products.length ? requestType.products : enumeration;
  if (!enumeration.some((product) => product === data.product)) {
    errors.push(['product', `product must be one of: ${enumeration.join(', ')}`]);
  } else if (!offered.some((product) => product === data.product)) {
    errors.push(['product', `product must be one of this type's: ${offered.join(', ')}`]);
  }
  if (
    data.brandId !== undefined &&
    !referenceLists.brands.some((brand) => brand.id === data.brandId)
  ) {
    errors.push(['brandId', 'brandId is not the id of a brand']);
  }
  return errors;
}

function newCardOf(data: Fields): NewCard {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '');
  const list = (name: string) => (Array.isArray(data[name]) ? data[name] : []);
  return {
    title: text('title'),
    description: text('description'),
    typeId: text('typeId'),
    product: text('product'),
    dimension: text('dimension'),
    software: text('software'),
    fileFormats: text('fileFormats'),
    isDraft: data.isDraft === true,
    textCopy: text('textCopy'),
    brandId: text('brandId') || null,
    textCopyFiles: list('textCopyFiles'),
    additionalFiles: list('additionalFiles'),
    referenceFiles: list('referenceFiles'),
  };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
