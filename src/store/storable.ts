/**
 * Replaces NUL, which Postgres refuses in text, and at which Node's SQLite driver stops reading, with U+FFFD. Both
 * databases also store U+FFFD for a lone surrogate.
 */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value;
}
