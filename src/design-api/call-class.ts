/**
 * Who waits for a call to the service, the most pressing first: a person (a form, a submission, a
 * refresh), a link that was posted, what only makes something nicer or newer (composer previews,
 * refreshing behind), and watching.
 */
export const CALL_CLASSES = ['person', 'posted', 'background', 'watch'] as const;

export type CallClass = (typeof CALL_CLASSES)[number];
