// What all modals share.

export const CLOSE = 'Close';
export const CANCEL = 'Cancel';
