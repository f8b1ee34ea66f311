// A request that may or may not have arrived: while it is searched for, and the modal of “Found it”.

export const CHECKING = 'Checking whether your request arrived. This can take ten minutes.';
/** In the modal, after the same. */
export const CHECKING_ON = 'You can close this: we’ll message you.';

export const FOUND = {
  title: 'Found it',
  submit: 'Save',
  label: 'Card link or ID',
  hint: 'Open the card in your dashboard and copy its address.',
  placeholder: 'Paste the card’s link',
  checking: 'Checking the card…',
  missing: 'Paste the card’s link or ID.',
  question: (title: string, reference: string) =>
    `Which card is *${title}* (${reference})? We’ll link to it and won’t send the request again.`,
  /** Asked if the card's description doesn't contain the request's reference. */
  otherReference: (card: string, reference: string) =>
    `The card ${card} doesn’t mention ${reference}. Is it the right one?`,
  confirm: 'Yes, this is it',
};
