/**
 * What a person typed, as everything behind this app can take it: Slack's own fields, the databases and
 * whatever reads the service's JSON disagree about NUL, which nobody types on purpose, and about halves of
 * surrogate pairs, which become U+FFFD.
 */
export const typedText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
