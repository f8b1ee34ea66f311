import type { ApiCall } from './api-call.ts';
import { cardOnTheWire, type WireContext } from './card-on-the-wire.ts';
import { validateNewCard } from './card-validation.ts';
import { type Cards, STATUSES } from './cards.ts';
import type { Downloads } from './downloads.ts';
import { copiesOf } from './files.ts';
import { emptyReply, errorReply, jsonReply, type Reply } from './replies.ts';
import type { CardFile, StoredCard } from './resources.ts';

/** What `POST /card` needs besides the call. */
export type CreateContext = WireContext & {
  cards: Cards;
  partnerName: string;
  filesUrl: () => string;
  downloads: Downloads;
};

/** The answer, and the card if one was created. */
export type CreateOutcome = { reply: Reply; card?: StoredCard };

const JSON_CONTENT_TYPE = /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i;

/**
 * `POST /card` (api.md 4.1): 415 for a body that isn't declared as UTF-8 JSON, 400 for one that isn't JSON or isn't
 * valid; otherwise creates the card and answers as `answers.createCard` says.
 */
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
    copiesOf(elements, type, context.filesUrl());
  const card = context.cards.add({
    ...{ title, description, software, fileFormats, textCopy, brandId, isDraft, account },
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
  switch (context.answers.createCard) {
    case 'task':
      return jsonReply(200, { data: cardOnTheWire(card, context), ...note });
    case 'status-201':
      return jsonReply(201, { data: cardOnTheWire(card, context), ...note });
    case 'id-only':
      return jsonReply(200, { data: { id: card.id } });
    case 'bare-id':
      return jsonReply(200, { id: card.id });
    case 'message-only':
      return jsonReply(200, note);
    case 'status-202-empty':
      return emptyReply(202);
    case 'status-204':
      return emptyReply(204);
    case 'empty-body':
      return { ...emptyReply(200), contentType: 'application/json; charset=utf-8' };
  }
}
