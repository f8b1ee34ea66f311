import { DatabaseError } from '../database-error.ts';

/** What an operator can do about it, by the code of Postgres (errcodes), of the system or of TLS. */
const WORDS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there. Is it running, and is the port right?',
  ENOTFOUND: 'there is no such host. Is its name right?',
  EAI_AGAIN: 'the name of its host could not be looked up.',
  ECONNRESET: 'it broke the connection off. Does it want another sslmode?',
  ETIMEDOUT: 'it does not answer. Does a firewall stand between?',
  EHOSTUNREACH: 'there is no way to its host.',
  '28P01': 'it refuses the user or the password of DATABASE_URL.',
  '28000': 'it lets this user not in from here, or not without TLS (sslmode).',
  '3D000': 'it has no database of that name. Create it first, with CREATE DATABASE.',
  '42501': 'the user of DATABASE_URL may not make tables there.',
  '53300': 'it has no connection to spare. Raise max_connections, or run fewer replicas.',
  '57P03': 'it is starting or stopping. Try again in a moment.',
  '25006': 'it takes no writes: it is a standby. Name the primary.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted. Name its root with sslrootcert.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted. Name its root with sslrootcert.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is not trusted. Name its root with sslrootcert.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its certificate is not trusted. Name its root with sslrootcert.',
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is another host’s. Is the host’s name right?',
};

/**
 * Says in words why a Postgres database can't be used.
 *
 * @param name of the database, as `nameOf` gives it
 */
export function postgresTrouble(name: string, error: unknown): DatabaseError {
  return new DatabaseError(`The database ${name} can't be used: ${reasonOf(error)}`, error);
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const words = code === undefined ? undefined : WORDS[code];
  if (words) return words;
  const message = error instanceof Error ? error.message : String(error);
  if (/timeout|timed out/.test(message)) return WORDS.ETIMEDOUT ?? message;
  if (message.includes('does not support SSL')) return 'it speaks no TLS. Take sslmode out.';
  return `${message}.`;
}

/** A host with several addresses fails with one error for each of them. */
export function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return String(error.code);
}
