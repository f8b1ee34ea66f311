import type { DueDate } from './due-date.ts';

/** A card (task), api.md 2.2. Texts that are missing are empty; HTML is as the service wrote it. */
export type Card = {
  id: string;
  title: string;
  descriptionHtml: string;
  textCopyHtml: string;
  requestType?: string;
  productType?: string;
  /** May hold several labelled lines separated by line feeds. */
  dimensions?: string;
  createdBy?: string;
  labels: string[];
  tags: string[];
  fileFormats?: string;
  software?: string;
  status?: CardStatus;
  dueDate?: DueDate;
  createdAt?: Date;
  updatedAt?: Date;
  files: CardFile[];
  brand?: { id?: string; name?: string };
};

/** `color` is `#rrggbb`; other forms are left out (api.md, 2.3). */
export type CardStatus = { id?: string; name: string; color?: string };

/** A file of a card, api.md 2.4. `ext` is lower case without a dot; `urls` are http(s) only. */
export type CardFile = {
  id?: string;
  name: string;
  ext?: string;
  type?: string;
  urls: { full?: string; large?: string; medium?: string; small?: string };
};

/** api.md 2.7; `id` is what `NewCard.typeId` takes. */
export type RequestType = {
  id: string;
  name: string;
  products: string[];
  formats: string[];
  softwares: string[];
};

/** api.md 2.6. A brand without a name is named by its id. */
export type Brand = { id: string; name: string };

/** api.md 2.5. The form of the colours is not shown. */
export type Tag = { id: string; name: string; backgroundColor?: string; textColor?: string };

/** Body of the create operation, api.md 4.1. The element shape of the file lists is not shown. */
export type NewCard = {
  title: string;
  description: string;
  typeId: string;
  isDraft?: boolean;
  product: string;
  dimension: string;
  textCopy?: string;
  software: string;
  fileFormats: string;
  brandId?: string;
  textCopyFiles?: unknown[];
  additionalFiles?: unknown[];
  additionalFilesNote?: string;
  referenceFiles?: unknown[];
  referenceFilesNote?: string;
};

/** What the answer to a creation says: the id is undefined where the answer names none. */
export type CreatedCard = { cardId?: string };

/** An entry of the task listing, as far as it could be read. */
export type ListedTask = { id?: string; title?: string; descriptionHtml?: string };

/**
 * Answer of the task listing, whose shape is not shown (api.md, 4.2), as far as it could be read: a task
 * that is missing here may still exist.
 */
export type TaskListing = { items: ListedTask[] };
