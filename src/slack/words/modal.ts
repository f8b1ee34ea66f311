// What all modals share.

export const CLOSE = 'Close';
export const CANCEL = 'Cancel';
export const SAVE = 'Save';
export const SAVING = 'Saving…';
export const ONE_MOMENT = 'One moment…';
