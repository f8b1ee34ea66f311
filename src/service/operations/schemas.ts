import { z } from 'zod';
import type { FileElement } from './file-element.ts';

// The sections are those of the service's API reference. Schemas are of what is read from an answer, also after it was
// stored as JSON, where dates are strings.

const text = z.string().optional();
const texts = z.array(z.string());

/** What a card refers to. A lone text may be its name or its ID. */
export type CardReference = z.infer<typeof cardReference>;
const cardReference = z.object({ id: text, name: text });

/** `color` is `#rrggbb`; other formats are omitted (2.3). */
export type CardStatus = z.infer<typeof cardStatus>;
const cardStatus = z.object({ id: text, name: z.string(), color: text });

/** A due date as the service wrote it, and if it can be parsed, as a date. */
export type DueDate = z.infer<typeof dueDate>;
const dueDate = z.object({
  text: z.string(),
  date: z.coerce.date().optional(),
  /** The day in the service's time zone, as `YYYY-MM-DD`. */
  day: text,
  /** Whether it has no time of day. */
  isWholeDay: z.boolean().optional(),
  /** Whether only the request asks for it. */
  isNeededBy: z.boolean().optional(),
});

/** A file of a card (2.4). `ext` is in lower case, without a dot; `urls` are http(s) only. */
export type CardFile = z.infer<typeof cardFile>;
const cardFile = z.object({
  id: text,
  name: z.string(),
  ext: text,
  type: text,
  /** Whether the request attached it, as far as its name tells; the service doesn't say it. */
  isAttached: z.boolean().optional(),
  urls: z.object({ full: text, large: text, medium: text, small: text }),
});

/** A card, or task (2.2). Missing texts are empty; HTML is as the service sent it. */
export type Card = z.infer<typeof card>;
export const card = z.object({
  id: z.string(),
  title: z.string(),
  descriptionHtml: z.string(),
  textCopyHtml: z.string(),
  requestType: cardReference.optional(),
  productType: text,
  /** May have several labeled lines, separated by newlines. */
  dimensions: text,
  createdBy: text,
  labels: texts,
  tags: texts,
  fileFormats: text,
  software: text,
  status: cardStatus.optional(),
  dueDate: dueDate.optional(),
  createdAt: z.coerce.date().optional(),
  updatedAt: z.coerce.date().optional(),
  files: z.array(cardFile),
  brand: cardReference.optional(),
});

/** 2.7. `id` is for `NewCard.typeId`. */
export type RequestType = z.infer<typeof requestType>;
export const requestType = z.object({
  id: z.string(),
  name: z.string(),
  products: texts,
  formats: texts,
  softwares: texts,
});

/** 2.6. A brand without a name has its ID as its name. */
export type Brand = z.infer<typeof brand>;
export const brand = z.object({ id: z.string(), name: z.string() });

/** 2.5, with the color of its background, whose format isn't documented. */
export type Tag = z.infer<typeof tag>;
export const tag = z.object({ id: z.string(), name: z.string(), color: text });

/** The body of the create operation (4.1). */
export type NewCard = {
  title: string;
  description: string;
  typeId: string;
  isDraft?: boolean | undefined;
  product: string;
  dimension: string;
  textCopy?: string | undefined;
  software: string;
  fileFormats: string;
  brandId?: string | undefined;
  textCopyFiles?: FileElement[] | undefined;
  additionalFiles?: FileElement[] | undefined;
  additionalFilesNote?: string | undefined;
  referenceFiles?: FileElement[] | undefined;
  referenceFilesNote?: string | undefined;
};

/** The ID is undefined if the answer doesn't contain it. */
export type CreatedCard = { cardId?: string | undefined };

export type ListedTask = {
  id?: string | undefined;
  title?: string | undefined;
  descriptionHtml?: string | undefined;
};

/** The task listing, as far as it could be read (4.2). A task that isn't listed may still exist. */
export type TaskListing = { items: ListedTask[] };
