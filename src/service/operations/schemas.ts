import type { DueDate } from './due-date.ts';
import type { FileElement } from './file-element.ts';

// The sections are those of the service's API reference.

/** A card, or task (2.2). Missing texts are empty; HTML is as the service sent it. */
export type Card = {
  id: string;
  title: string;
  descriptionHtml: string;
  textCopyHtml: string;
  requestType?: CardReference | undefined;
  productType?: string | undefined;
  /** May have several labeled lines, separated by newlines. */
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
  brand?: CardReference | undefined;
};

/** What a card refers to. A lone text may be its name or its ID. */
export type CardReference = { id?: string | undefined; name?: string | undefined };

/** `color` is `#rrggbb`; other formats are omitted (2.3). */
export type CardStatus = { id?: string | undefined; name: string; color?: string | undefined };

/** A file of a card (2.4). `ext` is in lower case, without a dot; `urls` are http(s) only. */
export type CardFile = {
  id?: string | undefined;
  name: string;
  ext?: string | undefined;
  type?: string | undefined;
  /** Whether the request attached it, as far as its name tells; the service doesn't say it. */
  isAttached?: boolean | undefined;
  urls: {
    full?: string | undefined;
    large?: string | undefined;
    medium?: string | undefined;
    small?: string | undefined;
  };
};

/** 2.7. `id` is for `NewCard.typeId`. */
export type RequestType = {
  id: string;
  name: string;
  products: string[];
  formats: string[];
  softwares: string[];
};

/** 2.6. A brand without a name has its ID as its name. */
export type Brand = { id: string; name: string };

/** 2.5, with the color of its background, whose format isn't documented. */
export type Tag = {
  id: string;
  name: string;
  color?: string | undefined;
};

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
