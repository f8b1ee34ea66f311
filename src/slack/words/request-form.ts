import type { RequestForm } from '../../requests/request.ts';

// The request form and the modals around it.

/** `missing` is shown where a required field is empty. */
type FieldWords = { label: string; missing?: string; hint?: string; placeholder?: string };

export const FIELDS = {
  title: { label: 'Title', missing: 'Give your request a title.' },
  requestType: { label: 'Request type', missing: 'Choose a request type.' },
  product: { label: 'Product', missing: 'Choose a product.' },
  description: { label: 'Description', missing: 'Describe what you need.' },
  brand: { label: 'Brand' },
  dimensions: {
    label: 'Dimensions',
    missing: 'Say at least one size.',
    placeholder: 'Instagram post: 1080 × 1080 px',
    hint: 'One size a line, with a label. Common: post 1080 × 1080, story 1080 × 1920, banner 1200 × 628, slide 1920 × 1080 px.',
  },
  software: { label: 'Software', missing: 'Say which software the files are for.' },
  formats: {
    label: 'File formats',
    missing: 'Say at least one file format.',
    placeholder: 'PNG, PDF',
  },
  textCopy: { label: 'Text copy', hint: 'The words that the design shows.' },
  isDraft: { label: 'Draft' },
  shareIn: {
    label: 'Share in',
    hint: 'Where the confirmation is posted. Leave it empty to get it in a direct message.',
  },
} as const satisfies Record<keyof RequestForm, FieldWords>;

export const FORM = {
  title: 'Design request',
  send: 'Send',
  saveAsDraft: 'Save as draft',
  searchPlaceholder: 'Type to search',
  unnamedOption: '(no name)',
  /** Tells apart options with the same name. */
  optionId: (id: string) => `id ${id}`,
  brandsLoading: 'Loading brands… You can send the request without one.',
  brandsUnavailable: 'Brands can’t be loaded right now. You can send the request without one.',
};

/** What is wrong with a submitted form. */
export const PROBLEMS = {
  otherProduct: 'This product does not go with the request type. Choose again.',
  tooLong: 'Description and text copy are too long together. Shorten one of them.',
  notListed: 'Your design service no longer offers this. Choose again.',
  notReadable:
    'Your design service can’t be reached to look this choice up. Press Send again in a moment.',
  notSaved: (reference: string) =>
    `Your request couldn’t be saved (${reference}). Nothing you typed is lost: press Send again.`,
};

/** Shown in the modal instead of the form. */
export const NOTICES = {
  loading: 'Loading request types and brands…',
  tryAgain: 'Try again',
  noRequestTypes:
    'Your design service lists no request types for this API key, so nothing can be ordered yet. Ask whoever runs the service, then try again.',
  sending:
    ':hourglass_flowing_sand: *Sending…*\nYou can close this. The confirmation comes as a message.',
  sentBefore: (reference: string, status: string) =>
    `*This form was sent before, as ${reference}.*\n${status}\nWhat you changed since then was not sent. \`/design-request\` opens a new form.`,
  notYourRequest: 'Only whoever made this request can correct it.',
};

/** Sent when the menus for a newly chosen request type can't be loaded; `why` is a sentence. */
export const typeNotChanged = (why: string) =>
  `${why} Until then the form can’t show what goes with the request type that you chose. What you typed is still there.`;

/** Above a form that the service refused. */
export const RETURNED = {
  withMarkedFields: 'Everything you typed is here: mend what is marked and send it again.',
  withoutMarkedFields: 'Everything you typed is here: change it and send it again.',
};
