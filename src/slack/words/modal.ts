// What all modals share.

export const CLOSE = 'Close';
