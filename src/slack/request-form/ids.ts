export const REQUEST_FORM = 'request-form';
/** The callback ID of the form's other views: loading, notices, results. They submit nothing. */
export const REQUEST_FORM_NOTICE = 'request-form-notice';

/** The action IDs of inputs that report changes. The action ID of every input is its field name. */
export const REQUEST_TYPE_INPUT = 'requestType';
export const SHARE_IN_INPUT = 'shareIn';
/** The end of the action ID of a field's list of attached files. */
export const LIST_SUFFIX = '.attached';

export const FORM_ACTIONS = {
  retryLoading: 'request-form-retry',
  /** Shows all fields. */
  moreOptions: 'request-form-more',
  // Their value is the ID of an unfinished form. The first one replaces an empty form with it.
  continueHere: 'request-form-continue-here',
  continue: 'request-form-continue',
  discardForm: 'request-form-discard',
  /** Opens the form with the text after a misused subcommand. */
  openWithTyped: 'request-form-open',
  openCard: 'request-open-card',
  /** Reads the card of the request with this ID again. */
  refresh: 'request-refresh',
  reopen: 'request-reopen',
  sendAgain: 'request-send-again',
  found: 'request-found',
  discard: 'request-discard',
} as const;

/** Opens the form filled with the request with this ID. */
export const REQUEST_AGAIN = 'request-again';
