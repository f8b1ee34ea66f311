import { z } from 'zod';
import { OperatorError } from '../ops/operator-error.ts';
import type { DatabaseLocation } from '../store/database-location.ts';
import { hasKnownSslMode, SSL_MODES } from '../store/postgres/tls.ts';

const isPostgresUrl = (text: string) => /^postgres(ql)?:\/\//i.test(text);

/** Cloud SQL documents `postgresql://user:password@/name?host=/cloudsql/…`, where the socket is the host. */
const withHost = (text: string) =>
  text.replace(/^(postgres(?:ql)?:\/\/[^/?#]*@)(?=\/)/i, '$1localhost');

const SEVERAL_HOSTS = /^[a-z]+:\/\/(?:[^/]*@)?[^/@?]*,|[?&]host=[^?&]*(?:,|%2c)/i;

/** pg decodes each part of the URL, and throws an unhelpful error if it can't. */
function namesDatabase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, hash, search } = new URL(text);
  // After an unescaped / or ? in a password, its rest would be taken for the name, and be printed.
  if ([pathname, search, hash].some((part) => part.includes('@'))) return false;
  try {
    return [username, password, pathname].map(decodeURIComponent).at(-1) !== '/' && pathname !== '';
  } catch {
    return false;
  }
}

export const DEFAULT_DATABASE = { path: './data/design-request.db' };

function problemWithUrl(text: string): string | undefined {
  if (!isPostgresUrl(text)) return 'must be sqlite:<file> or a postgres:// URL.';
  if (SEVERAL_HOSTS.test(text)) {
    return 'names several hosts. Name one that leads to the primary, such as that of a proxy or a pooler.';
  }
  if (!namesDatabase(text)) {
    return 'must name a host and a database, as in postgres://user:password@host:5432/name, with characters such as @ in the password percent-encoded (%40).';
  }
  if (hasKnownSslMode(new URL(text))) return undefined;
  return `has an unknown sslmode; use one of ${SSL_MODES.join(', ')}.`;
}

/** DATABASE_URL: `sqlite:<path>`, or the URL of a Postgres database. */
export const databaseSetting = z.string().transform((text, context): DatabaseLocation => {
  if (/^sqlite:./.test(text)) return { path: text.slice('sqlite:'.length) };
  const url = withHost(text);
  const problem = problemWithUrl(url);
  if (problem !== undefined) context.addIssue(problem);
  return { url };
});

/** @throws OperatorError that doesn't repeat the URL, since it may contain a password */
export function parseDatabaseUrl(option: string, text: string): DatabaseLocation {
  const parsed = databaseSetting.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new OperatorError(`${option} ${parsed.error.issues[0]?.message ?? 'can’t be read.'}`);
}
