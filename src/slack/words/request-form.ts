import type { RequestForm } from '../../requests/request.ts';
import { FILE_FIELDS } from './files.ts';

// The request form and the modals around it.

/** `missing` is shown where a required field is empty. */
export type FieldWords = {
  label: string;
  missing?: string;
  hint?: string;
  placeholder?: string;
  /** Shown where the value can't be used. */
  invalid?: string | ((line: string) => string);
};

export const FIELDS = {
  title: { label: 'Title', missing: 'Give your request a title.' },
  requestType: { label: 'Request type', missing: 'Choose a request type.' },
  product: { label: 'Product', missing: 'Choose a product.' },
  description: {
    label: 'Description',
    missing: 'Describe what you need.',
    placeholder: 'What is it for, who will see it, what must be on it?',
  },
  brand: { label: 'Brand' },
  dimensions: {
    label: 'Sizes',
    missing: 'Add at least one size.',
    placeholder: 'Story: 1080 × 1920 px',
    hint: 'One size per line.',
  },
  software: { label: 'Software', missing: 'Choose the software you’ll edit in.' },
  formats: {
    label: 'File formats',
    missing: 'Add at least one file format.',
    placeholder: 'PNG, PDF',
  },
  textCopy: {
    label: 'Wording',
    hint: 'Exact wording in the design: headline, button, fine print.',
  },
  neededBy: { label: 'Needed by', invalid: 'Choose today or a later day.' },
  references: {
    label: 'References',
    hint: 'Links to examples, one per line.',
    placeholder: 'https://…',
    invalid: (line: string) => `“${line}” isn’t a link. Enter one link per line, and nothing else.`,
  },
  ...FILE_FIELDS,
  isDraft: { label: 'Draft' },
  shareIn: {
    label: 'Post in',
    hint: 'Where should we post the confirmation? Leave blank for a direct message.',
  },
} as const satisfies Record<keyof RequestForm, FieldWords>;

export const FORM = {
  title: 'Design request',
  send: 'Send',
  saveAsDraft: 'Save as draft, don’t start work yet',
  moreOptions: 'More options',
  /** Before what the hidden fields are set to. */
  alsoSet: 'Set for you:',
  summary: {
    draft: 'Save as draft',
    postIn: (channel: string) => `posts in ${channel}`,
    byMessage: 'confirmation by direct message',
  },
  continueOffer: (title: string) => `You have an unfinished request: *${title}*`,
  untitled: 'no title yet',
  continueButton: 'Continue your request',
  brandHere: (name: string) => `Last used in this channel: ${name}`,
  searchPlaceholder: 'Type to search',
  unnamedOption: '(no name)',
  /** Tells apart options with the same name. */
  optionId: (id: string) => `ID ${id}`,
  /** After Send, if the form is still drawn for the type that was chosen before. */
  typeChanged: 'You changed the request type. Check the fields below, then press Send again.',
  /** Above a form whose hidden values aren't stored any more. */
  hiddenLost: 'We no longer have what was set for you. Check every field, then send.',
  cannotPost:
    'This app can’t post in that channel, so you’ll get the confirmation by direct message.',
  brandsUnavailable: 'We can’t load brands right now. You can send your request without one.',
};

export const CONFIRM_DISCARD_FORM = 'We’ll delete what you typed in it.';

export const PROBLEMS = {
  unanswered: 'Answer the questions here first, so that a designer can start.',
  otherProduct: 'This product doesn’t go with the request type. Choose another.',
  tooLong: 'Description and wording are too long together. Shorten one of them.',
  notSaved: (reference: string) =>
    `We couldn’t save your request (${reference}). Nothing is lost: press Send again.`,
};

/** Shown in the modal instead of the form. */
export const NOTICES = {
  loading: 'Loading request types and brands…',
  tryAgain: 'Try again',
  noRequestTypes:
    'Your design service has no request types for this API key yet. Ask whoever manages the service to add one, then try again.',
  sending:
    ':hourglass_flowing_sand: *Sending…*\nYou can close this. We’ll message you when it’s done.',
  sentBefore: (reference: string, status: string) =>
    `*You already sent this form, as ${reference}.*\n${status}\nYour later changes weren’t sent. Type \`/design-request\` for a new form.`,
  requestDeleted: 'That request is no longer stored. Requests are kept for 30 days.',
  notSavedAnyMore: 'That form is no longer saved. You sent it, or closed it more than a day ago.',
  notYourRequest: 'Only the person who made this request can fix it.',
};

/** Sent when the form's menus can't be loaded; `why` is a sentence. */
export const notRedrawn = (why: string) =>
  `${why} Until then, we can’t show more fields. What you typed is still there.`;

/** Above a form that the service refused. */
export const RETURNED = {
  withMarkedFields: 'Fix the marked fields and send again. Nothing is lost.',
  withoutMarkedFields: 'Change your request and send again. Nothing is lost.',
  /** It wasn't refused: no request types were known. */
  chooseType: 'Choose a request type, then send.',
};
