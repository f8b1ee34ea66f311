import type { DueDate } from './due-date.ts';

/** A card (task), api.md 2.2. Texts that are missing are empty; HTML is as the service wrote it. */
export type Card = {
  id: string;
  title: string;
  descriptionHtml: string;
  textCopyHtml: string;
  requestType?: string | undefined;
  productType?: string | undefined;
  /** May hold several labelled lines separated by line feeds. */
  dimensions?: string | undefined;
  createdBy?: string | undefined;
  labels: string[];
  tags: string[];
  fileFormats?: string | undefined;
  software?: string | undefined;
  status?: CardStatus | undefined;
  dueDate?: DueDate | undefined;
  createdAt?: Date | undefined;
  updatedAt?: Date | undefined;
  files: CardFile[];
  brand?: { id?: string | undefined; name?: string | undefined } | undefined;
};

/** `color` is `#rrggbb`; other forms are left out (api.md, 2.3). */
export type CardStatus = { id?: string | undefined; name: string; color?: string | undefined };

/** A file of a card, api.md 2.4. `ext` is lower case without a dot; `urls` are http(s) only. */
export type CardFile = {
  id?: string | undefined;
  name: string;
  ext?: string | undefined;
  type?: string | undefined;
  urls: {
    full?: string | undefined;
    large?: string | undefined;
    medium?: string | undefined;
    small?: string | undefined;
  };
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
export type Tag = {
  id: string;
  name: string;
  backgroundColor?: string | undefined;
  textColor?: string | undefined;
};

/** Body of the create operation, api.md 4.1. The element shape of the file lists is not shown. */
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
  textCopyFiles?: unknown[] | undefined;
  additionalFiles?: unknown[] | undefined;
  additionalFilesNote?: string | undefined;
  referenceFiles?: unknown[] | undefined;
  referenceFilesNote?: string | undefined;
};

/** What the answer to a creation says: the id is undefined where the answer names none. */
export type CreatedCard = { cardId?: string | undefined };

/** An entry of the task listing, as far as it could be read. */
export type ListedTask = {
  id?: string | undefined;
  title?: string | undefined;
  descriptionHtml?: string | undefined;
};

/**
 * Answer of the task listing, whose shape is not shown (api.md, 4.2), as far as it could be read: a task
 * that is missing here may still exist.
 */
export type TaskListing = { items: ListedTask[] };
