import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { VERSION } from '../../src/version.ts';

const FOLDER = new URL('.', import.meta.url);

export type DatabaseKind = 'sqlite' | 'postgres';

const facts = z.object({
  version: z.string(),
  /** The app's clock when the database was left. */
  written: z.iso.datetime(),
  /** As in ENCRYPTION_KEYS; it is used nowhere else. */
  encryptionKeys: z.string(),
  /** The key of the design service that Acme had connected. */
  apiKey: z.string(),
});

/** A database as a released version of the app left it. */
export type ReleasedDatabase = z.infer<typeof facts> & { sql: string };

const COMMENT = '-- ';

export const fileOf = (version: string, kind: DatabaseKind): URL =>
  new URL(`${version}.${kind}.sql`, FOLDER);

/** The text of a file: the facts in its first line, then the SQL. */
export function textOf({ sql, ...database }: ReleasedDatabase): string {
  return `${COMMENT}${JSON.stringify(database)}\n${sql}`;
}

export function releasedDatabase(version: string, kind: DatabaseKind): ReleasedDatabase {
  const sql = readFileSync(fileOf(version, kind), 'utf8');
  const [comment = ''] = sql.split('\n', 1);
  return { ...facts.parse(JSON.parse(comment.slice(COMMENT.length))), sql };
}

/** The next version, while it is in development. */
export const NEXT_VERSION: string = VERSION.replace(/-dev$/, '');

/** The versions of which there is a database, in any order. */
export function releasedVersions(kind: DatabaseKind): string[] {
  return globSync(`*.${kind}.sql`, { cwd: FOLDER }).map((name) => basename(name, `.${kind}.sql`));
}
