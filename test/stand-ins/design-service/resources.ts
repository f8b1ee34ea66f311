/** One entry of the card-types list (api.md 2.7), as sent. */
export type RequestType = {
  id: string;
  name: string;
  products: string[];
  formats: string[];
  softwares: string[];
};

/** One entry of the brands list (api.md 2.6). */
export type Brand = { id: string; name: string };

/** One entry of the tags list (api.md 2.5); the colors' format isn't shown, `#rrggbb` here. */
export type Tag = { id: string; name: string; bg_color: string; text_color: string };

/** The reference lists. Live: the next call reads what is changed here. */
export type ReferenceLists = { requestTypes: RequestType[]; brands: Brand[]; tags: Tag[] };

/** A card's status (api.md 2.3); `color` is `#rrggbb`. */
export type CardStatus = { id: string; name: string; color: string };

/** A card's file (api.md 2.4). The three resized URLs end with an empty `class=`. */
export type CardFile = {
  id: string;
  name: string;
  ext: string;
  urls: { full: string; large: string; medium: string; small: string };
  type: string;
};

type Person = { id: string; name: string };

/** A card as the service stores it; `card-on-the-wire.ts` turns it into api.md's task (2.2). */
export type StoredCard = {
  id: string;
  /** Keys of other accounts get 403 for this card (api.md 5). */
  account: string;
  projectId: string;
  title: string;
  /** HTML. */
  description: string;
  requestTypeId: string | null;
  productType: string;
  dimensions: string;
  createdBy: Person | null;
  labels: string[];
  tags: string[];
  /** HTML. */
  textCopy: string;
  fileFormats: string;
  software: string;
  status: CardStatus;
  dueDate: Date | null;
  createdAt: Date;
  updatedAt: Date;
  files: CardFile[];
  brandId: string | null;
  isDraft: boolean;
  /** The `data` of the `POST /card` that created this card, as it was sent. */
  sent?: Record<string, unknown> | undefined;
  /** Merged over the task when it is sent, for fields with unexpected shapes. */
  wire?: Record<string, unknown> | undefined;
};

/** The five products of api.md 4.1, where the last two begin with the name of the service's partner. */
export const PRODUCTS = ['Graphics', 'Video', 'Graphics Video', 'Partner Graphics', 'Partner Plus'];
