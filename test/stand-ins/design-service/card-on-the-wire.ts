import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';
import type { Answers } from './answers.ts';
import type { ReferenceLists, StoredCard } from './resources.ts';

export type WireContext = { answers: Answers; referenceLists: ReferenceLists };

type Named = { id: string; name: string };

/** A card as api.md's task (2.2), in the shapes that `answers` currently selects. */
export function cardOnTheWire(card: StoredCard, context: WireContext): Record<string, unknown> {
  const { answers, referenceLists } = context;
  return {
    id: card.id,
    title: card.title,
    description: card.description,
    request_type: find(referenceLists.requestTypes, card),
    product_type: card.productType,
    dimensions: card.dimensions,
    created_by: reference(card.createdBy, answers.createdByShape),
    labels: names(card.labels, answers.labelsShape),
    tags: names(card.tags, answers.tagsShape),
    text_copy: card.textCopy,
    file_formats: card.fileFormats,
    software: card.software,
    status: answers.statusShape === 'null' ? null : card.status,
    due_date: card.dueDate && dueDate(card.dueDate, answers.dueDateShape),
    created_at: serviceTimestamp(card.createdAt),
    updated_at: serviceTimestamp(card.updatedAt),
    ...(answers.filesShape !== 'missing' && { files: card.files }),
    brand: brand(card, context),
    ...card.wire,
  };
}

function find(types: Named[], card: StoredCard): Named | null {
  const found = types.find((type) => type.id === card.requestTypeId);
  return found ? { id: found.id, name: found.name } : null;
}

function reference(value: Named | null, shape: Answers['createdByShape']): Named | string | null {
  if (value === null || shape === 'null') return null;
  return shape === 'string' ? value.name : value;
}

function names(values: string[], shape: Answers['labelsShape']): unknown {
  switch (shape) {
    case 'string':
      return values[0] ?? '';
    case 'array':
      return values;
    case 'array-of-objects':
      return values.map((name, index) => ({ id: String(index + 1), name }));
  }
}

function dueDate(due: Date, shape: Answers['dueDateShape']): unknown {
  switch (shape) {
    case 'null':
      return null;
    case 'timestamp':
      return serviceTimestamp(due);
    case 'iso':
      return due.toISOString();
    case 'unix-seconds':
      return Math.floor(due.getTime() / 1000);
    case 'unix-ms':
      return due.getTime();
    case 'object':
      return { date: due.toISOString().slice(0, 10), timezone: 'UTC' };
    case 'nonsense':
      return 'when it is ready';
  }
}

function brand(card: StoredCard, { answers, referenceLists }: WireContext): unknown {
  const found = referenceLists.brands.find((one) => one.id === card.brandId);
  if (!found) return null;
  switch (answers.brandShape) {
    case 'null':
      return null;
    case 'string-id':
      return found.id;
    case 'string-name':
      return found.name;
    case 'object':
      return found;
    case 'number':
      return Number(found.id.replace('brand-', ''));
  }
}

/** As `DD-Mon-YYYY hh:mm AM/PM` (api.md 2.2), in UTC. */
const serviceTimestamp = (moment: Date): string =>
  format(new TZDate(moment, 'UTC'), 'dd-MMM-yyyy hh:mm a');
