import { z } from 'zod';
import { OperatorError } from '../ops/operator-error.ts';
import type { DatabaseLocation } from '../store/database-location.ts';
import { hasKnownSslMode, SSL_MODES } from '../store/postgres/tls.ts';

const isPostgresUrl = (text: string) => /^postgres(ql)?:\/\//.test(text);

/** Whether pg can read it: it decodes each part, and throws where that can't be done. */
function namesDatabase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  try {
    return [username, password, pathname].map(decodeURIComponent).at(-1) !== '/' && pathname !== '';
  } catch {
    return false;
  }
}

/** DATABASE_URL: `sqlite:` and a path, or the URL of a Postgres database. */
export const databaseSetting = z
  .string()
  .refine(
    (text) => /^sqlite:./.test(text) || isPostgresUrl(text),
    'must be sqlite: and a file, or a postgres:// address.',
  )
  .refine(
    (text) => !isPostgresUrl(text) || namesDatabase(text),
    'must name a host and a database, as in postgres://user:password@host:5432/name; signs such as @ in the password are written %40.',
  )
  .refine(
    (text) => !isPostgresUrl(text) || !URL.canParse(text) || hasKnownSslMode(new URL(text)),
    `names an sslmode other than ${SSL_MODES.join(', ')}.`,
  )
  .transform(
    (text): DatabaseLocation =>
      isPostgresUrl(text) ? { url: text } : { path: text.slice('sqlite:'.length) },
  );

/**
 * Reads a database's address that was given on the command line.
 *
 * @throws OperatorError in words, without the address: it may hold a password
 */
export function parseDatabaseUrl(option: string, text: string): DatabaseLocation {
  const parsed = databaseSetting.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${option} ${parsed.error.issues[0]?.message ?? 'can’t be read.'}`);
}
