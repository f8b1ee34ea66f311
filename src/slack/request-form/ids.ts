/** The callback id of the form. Slack gives ids back with every interaction. */
export const REQUEST_FORM = 'request-form';
/** Of the form's other views: loading, unreachable, result. They submit nothing. */
export const REQUEST_FORM_NOTICE = 'request-form-notice';

/** The action id of the request type; every input's action id is its field's name. */
export const REQUEST_TYPE_INPUT = 'requestType';

export const FORM_ACTIONS = {
  retryLoading: 'request-form-retry',
  /** Opens the form with what was typed after a misused sub-command. */
  openWithTyped: 'request-form-open',
  openCard: 'request-open-card',
  reopen: 'request-reopen',
  sendAgain: 'request-send-again',
  itIsThere: 'request-it-is-there',
  discard: 'request-discard',
} as const;
