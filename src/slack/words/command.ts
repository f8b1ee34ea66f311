import type { DesignRequest } from '../../requests/request.ts';

// Replies to /design-request. Arguments are escaped.

/** What each subcommand is for, as the help lists it, and what may follow it. */
export const SUB_COMMAND_WORDS = {
  open: { usage: '[title]', summary: 'open the form' },
  new: { usage: '[title]', summary: 'open the form even if the title is a word like `list`' },
  status: {
    usage: '<card ID, link, or DR-…>',
    summary: 'show a card or request only to you, with a button to share it',
  },
  list: { summary: 'show your recent requests and their status' },
  types: { usage: '[name]', summary: 'see the request types you can choose from, or search them' },
  brands: { usage: '[name or ID]', summary: 'see your brands, or search them' },
  tags: { summary: 'see the tags your design service uses' },
  connect: { summary: 'connect your design service’s API key' },
  disconnect: { summary: 'delete the API key' },
  settings: { summary: 'choose how links look and who sees cards' },
  help: { summary: 'show this list' },
};

export const HELP_HEADING = '*Request design and video work*';
export const FOR_ADMINS = '(admins) ';

export const USAGE = {
  /** @param usage for example `/design-request status <card ID or link>` */
  typeLikeThis: (usage: string) => `Type ${usage}.`,
  takesNothing: (name: string) => `\`${name}\` doesn’t take anything after it.`,
  /** @param why a sentence */
  offerForm: (why: string, title: string) => `${why} Did you mean to request “${title}”?`,
  requestIt: 'Request it',
  openForm: 'Open the form',
  notOpened: (reference: string) =>
    `We couldn’t open the form (${reference}). Try again with this button: it keeps what you typed.`,
  tookTooLong: 'The form took too long to open. Your title is still here:',
};

export const DID_YOU_MEAN = {
  ask: (name: string, typed: string) =>
    `Did you mean \`${name}\`? Or would you like to request “${typed}”?`,
  yes: (name: string) => `Yes, ${name}`,
  no: 'No, make a request',
};

export const LIST = {
  heading: 'Your recent requests',
  /** Shown where there is no card, or its status isn't known. */
  inState: {
    queued: 'Waiting to be sent',
    sending: 'Being sent',
    waiting_for_key: 'Waiting for an API key',
    rejected: 'Needs a fix',
    in_doubt: 'May not have arrived',
    created: 'Sent',
    discarded: 'Discarded',
  } satisfies Record<DesignRequest['state'], string>,
  draft: 'Draft',
  requested: (when: string) => `requested ${when}`,
  none: 'You haven’t made any requests yet. Type `/design-request` to make one.',
  olderNotShown: (count: number) =>
    `${count} older ${count === 1 ? 'request isn’t' : 'requests aren’t'} shown.`,
};

export const STATUS = {
  noSuchCard: 'No card with that ID. Check the ID, or paste the card’s link.',
  noSuchRequest: 'That request isn’t a card yet, or its card’s ID isn’t known. Ask its author.',
  forbidden: 'This workspace’s API key can’t read that card.',
  foreignLink: 'That isn’t a card link from your design service. Check it, or enter the card’s ID.',
};

export const REFERENCE_LISTS = {
  types: 'Request types',
  noTypes: 'Your design service has no request types yet.',
  noSuchType: 'No request type with that name. Type `/design-request types` to see them all.',
  matching: (heading: string, search: string) => `${heading} matching “${search}”`,
  brands: 'Brands',
  noBrands: 'Your design service has no brands yet.',
  noSuchBrand: 'No brand with that name or ID. Type `/design-request brands` to see them all.',
  tags: 'Tags',
  noTags: 'Your design service has no tags yet.',
  moreNotShown: (count: number) => `${count} more ${count === 1 ? 'isn’t' : 'aren’t'} shown.`,
  searchHere: (command: string) =>
    `To search all of them, type part of a name after \`${command}\`.`,
};
