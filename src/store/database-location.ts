/** An SQLite file or a Postgres database. */
export type DatabaseLocation = { path: string } | { url: string };

export const isPostgres = (location: DatabaseLocation): location is { url: string } =>
  'url' in location;

/** The name of a database for messages: for a URL, only its host, port, and name, without credentials. */
export function nameOf(location: DatabaseLocation): string {
  if (!isPostgres(location)) return location.path;
  const { host, pathname, searchParams } = new URL(location.url);
  return `${searchParams.get('host') ?? decodeURIComponent(host)}${pathname}`;
}
