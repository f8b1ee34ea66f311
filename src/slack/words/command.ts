// Replies to /design-request. Arguments are escaped.

/** What each subcommand is for, as the help lists it, and what may follow it. */
export const SUB_COMMAND_WORDS = {
  open: { usage: '[title]', summary: 'opens the form' },
  new: { summary: 'the same, for a title that begins with a word of this list' },
  status: {
    usage: '<card id or link>',
    summary: 'a card, to you alone, with a button to share it',
  },
  list: { summary: 'your recent requests and how they stand' },
  types: { summary: 'the request types of your design service' },
  brands: { usage: '[brand id]', summary: 'your brands, or one of them' },
  tags: { summary: 'the tags of your design service' },
  connect: { summary: 'admins: connects your design service’s API key' },
  disconnect: { summary: 'admins: deletes the API key' },
  settings: { summary: 'admins: how cards are shown, and to whom' },
  help: { summary: 'everything that you can type' },
};

export const HELP_HEADING = '*Order design and video work*';

export const USAGE = {
  explain: (usage: string, summary: string) => `Use it like this: ${usage} — ${summary}.`,
  /** @param why a sentence */
  offerForm: (why: string, title: string) =>
    `${why} Did you want to order something called “${title}”?`,
  openForm: 'Open the form',
  notOpened: (reference: string) =>
    `The form couldn’t be opened (${reference}). Try again with this button: it keeps what you typed.`,
};

export const LIST = {
  heading: 'Your recent requests',
  none: 'You have no requests yet. `/design-request` opens the form.',
  olderNotShown: (count: number) =>
    `${count} older ${count === 1 ? 'request isn’t' : 'requests aren’t'} shown.`,
  /** @param asOf for example “as of 5 minutes ago” */
  status: (status: string, asOf: string | undefined) =>
    `Status: ${status}${asOf ? `, ${asOf}` : ''}`,
};

export const STATUS = {
  noSuchCard:
    'Your design service knows no card under that id. Check it, or paste the card’s link.',
  forbidden: 'This workspace’s API key may not read that card.',
  foreignLink: 'That is not a card link of your design service. Check it, or give the card’s id.',
};

export const CATALOGUE = {
  types: 'Request types',
  noTypes: 'Your design service lists no request types.',
  brands: 'Brands',
  noBrands: 'Your design service lists no brands.',
  noSuchBrand:
    'Your design service knows no brand under that id. `/design-request brands` lists them.',
  tags: 'Tags',
  noTags: 'Your design service lists no tags.',
  moreNotShown: (count: number) => `${count} more are not shown.`,
  searchInForm: 'In the form you can search them all.',
};
