/**
 * Typed text without NUL and lone surrogates (which become U+FFFD), because Slack's fields, the
 * databases, and JSON parsers treat them differently.
 */
export const typedText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();
