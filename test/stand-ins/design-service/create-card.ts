import { z } from 'zod';
import type { ApiCall } from './api-call.ts';
import { cardOnTheWire, type WireContext } from './card-on-the-wire.ts';
import { type Cards, STATUSES } from './cards.ts';
import type { Downloads } from './downloads.ts';
import { errorReply, jsonReply, type Reply } from './replies.ts';
import { type CardFile, PRODUCTS, type StoredCard } from './resources.ts';
import { copiesOf } from './serve-file.ts';

const text = z.string({
  error: ({ input }) => (input === undefined ? 'is required' : 'must be a string'),
});
const required = text.refine((value) => value.trim() !== '', 'must not be blank');

/** What the service takes as the body of `POST /card` (api.md 4.1): no other fields. */
function newCard({ referenceLists, answers }: WireContext) {
  const isFile = (one: unknown) =>
    answers.fileElement === 'any' || typeof Object(one).url === 'string';
  const files = z
    .array(z.unknown().refine(isFile, 'must consist of objects'), { error: 'must be an array' })
    .optional();
  const typeOf = (id: unknown) => referenceLists.requestTypes.find((type) => type.id === id);
  const isBrand = (id: string) => referenceLists.brands.some((brand) => brand.id === id);
  const data = z
    .strictObject({
      title: required,
      description: required,
      typeId: required.refine(typeOf, 'is not the id of a request type'),
      product: required.refine(
        (name) => PRODUCTS.includes(name) || name.trim() === '',
        `must be one of: ${PRODUCTS.join(', ')}`,
      ),
      dimension: required,
      software: required,
      fileFormats: required,
      textCopy: text.optional(),
      brandId: text.refine(isBrand, 'is not the id of a brand').optional(),
      additionalFilesNote: text.optional(),
      referenceFilesNote: text.optional(),
      textCopyFiles: files,
      additionalFiles: files,
      referenceFiles: files,
      isDraft: z.boolean({ error: 'must be true or false' }).optional(),
    })
    .superRefine(({ typeId, product }, { addIssue }) => {
      const offered = typeOf(typeId)?.products ?? [];
      if (offered.length === 0 || offered.includes(product)) return;
      const message = `must be one of this type's: ${offered.join(', ')}`;
      addIssue({ code: 'custom', path: ['product'], message });
    });
  return z.strictObject({ data });
}

function validateNewCard(body: unknown, context: WireContext) {
  const { data, error } = newCard(context).safeParse(body);
  if (data) return { ok: true as const, card: data.data, sent: Object(body).data };
  const details = error.issues.flatMap((issue): [unknown, string][] => {
    const [inside, name] = issue.path;
    if (inside === undefined) return [];
    if (issue.code !== 'unrecognized_keys') return [[name, `${String(name)} ${issue.message}`]];
    return issue.keys.map((key) => [key, `${key} is not a field of a card`]);
  });
  const named = details.filter(([name]) => name !== undefined);
  if (named.length === 0) {
    const message = 'The body must be an object with the single key "data".';
    return { ok: false as const, message };
  }
  // The first problem of each field.
  const first = Object.fromEntries(named.toReversed());
  return { ok: false as const, message: 'Some fields are not valid.', details: first };
}

export type CreateContext = WireContext & {
  cards: Cards;
  filesUrl: string;
  downloads: Downloads;
};

export type CreateOutcome = { reply: Reply; card?: StoredCard };

const JSON_CONTENT_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/** `POST /card` (api.md 4.1): 415 if not declared as UTF-8 JSON, 400 if invalid, otherwise `answers.createCard`. */
export function createCard(call: ApiCall, account: string, context: CreateContext): CreateOutcome {
  if (!JSON_CONTENT_TYPE.test(call.contentType) || call.contentEncoding !== 'identity') {
    return {
      reply: errorReply(415, 'Send the body as application/json in UTF-8, not compressed.'),
    };
  }
  if (call.body.json === undefined) {
    return { reply: errorReply(400, 'The body is not valid JSON.') };
  }
  const result = validateNewCard(call.body.json, context);
  if (!result.ok) return { reply: errorReply(400, result.message, result.details) };
  const { typeId, product, dimension, title, description, ...fields } = result.card;
  const { software, fileFormats, textCopy = '', brandId = null, isDraft = false } = fields;
  const { textCopyFiles = [], additionalFiles = [], referenceFiles = [] } = fields;
  const copies = (elements: unknown[], type: string): CardFile[] =>
    copiesOf(elements, type, context.filesUrl);
  const card = context.cards.add({
    title,
    description,
    software,
    fileFormats,
    textCopy,
    brandId,
    isDraft,
    account,
    requestTypeId: typeId,
    productType: product,
    dimensions: dimension,
    createdBy: { id: `user-of-${account}`, name: 'Integration' },
    status: isDraft ? STATUSES.draft : STATUSES.toDo,
    files: [
      ...copies(textCopyFiles, 'text_copy'),
      ...copies(additionalFiles, 'additional'),
      ...copies(referenceFiles, 'reference'),
    ],
    sent: result.sent,
  });
  const elements = [...textCopyFiles, ...additionalFiles, ...referenceFiles];
  context.downloads.created(card.id, card.files, elements);
  return { card, reply: createdReply(card, context) };
}

function createdReply(card: StoredCard, context: CreateContext): Reply {
  const note = { status: true, message: 'The request was created.' };
  if (context.answers.createCard === 'message-only') return jsonReply(200, note);
  return jsonReply(200, { data: cardOnTheWire(card, context), ...note });
}
