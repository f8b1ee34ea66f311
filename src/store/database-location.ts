/** Where the data lies: in an SQLite file, or in a Postgres database. */
export type DatabaseLocation = { path: string } | { url: string };

export const isPostgres = (location: DatabaseLocation): location is { url: string } =>
  'url' in location;

/** Names a database in words and logs: of a URL its host, port and name, never who enters it or how. */
export function nameOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  const { host, pathname, searchParams } = new URL(location.url);
  return `${searchParams.get('host') ?? host}${pathname}`;
}
