/**
 * A value as both databases keep it and find it again. Postgres' text holds no NUL, and Node's driver for
 * SQLite reads no further than the first. It becomes what both make of a lone surrogate, so that no id
 * becomes another one's.
 */
export function storable(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value;
}
