import type { LogEvent } from 'kysely';
import { addressesTried } from '../outgoing.ts';
import { DatabaseError } from './database-location.ts';

const UNTRUSTED = 'its certificate is not trusted. Name the root certificate with sslrootcert.';
const UNREACHABLE = 'its host cannot be reached.';
const TIMED_OUT =
  'it does not answer. Is there a firewall in between, or a pooler whose connections are all in use?';
const REJECTED = 'it rejects the user or the password in DATABASE_URL.';

/** What an operator can do, by code of Postgres, the system, or TLS. SQLite's words say enough. */
const MESSAGES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused. Is it running, and is the port right?',
  ENOTFOUND: 'the host was not found. Is its name right?',
  EAI_AGAIN: 'the host name could not be looked up.',
  ECONNRESET: 'it closed the connection. Does it need another sslmode?',
  ETIMEDOUT: TIMED_OUT,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  '28P01': REJECTED,
  '28000': 'it rejects this user from here, or without TLS (sslmode).',
  '3D000': 'there is no database with that name. Create it first, with CREATE DATABASE.',
  '42501': 'the user in DATABASE_URL may not create tables there.',
  '53300': 'it has too many connections. Raise max_connections, or run fewer replicas.',
  '57P01': 'it ended the connection: it is stopping, or an administrator did that.',
  '57P03': 'it is starting or stopping. Try again in a moment.',
  '25006': 'it is a read-only standby. Use the primary.',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: 'its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host. Is the host name right?',
};

export function databaseTrouble(name: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const tried = error instanceof AggregateError ? ` Tried: ${addressesTried(error)}.` : '';
  const sentence = `The database ${name} can't be used: ${unusableReason(error)}${tried}`;
  return new DatabaseError(sentence, error);
}

function unusableReason(error: unknown): string {
  const code = codeOf(error);
  const known = code === undefined ? undefined : MESSAGES[code];
  if (known) return known;
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('does not support SSL')) return 'it does not support TLS. Remove sslmode.';
  if (message.includes('statement pooling'))
    return 'its pooler allows no transactions. Set pool_mode = transaction there.';
  // PgBouncer has another code for this than Postgres.
  if (message.includes('authentication failed')) return REJECTED;
  // What Postgres or a pooler says has a code: it does answer.
  if (code === undefined && /timeout|timed out/.test(message)) return TIMED_OUT;
  return code === undefined ? `${message}.` : `it says: ${message} (${code}).`;
}

/**
 * Of Postgres (https://www.postgresql.org/docs/current/errcodes-appendix.html), the system, TLS, or
 * SQLite as in `SQLITE 5` (https://sqlite.org/rescode.html). Each address of a host has an error.
 */
function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (typeof error !== 'object' || error === null) return undefined;
  // Extended codes differ only above the lowest byte.
  if ('errcode' in error) return `SQLITE ${Number(error.errcode) & 0xff}`;
  return 'code' in error ? String(error.code) : undefined;
}

/**
 * Data, a constraint, a conflict, or a timeout. Other errors are the connection's or the server's,
 * such as 25006 of a former primary, or 40001: only of a standby, as our transactions aren't serializable.
 */
const ABOUT_STATEMENT = /^(?:2[0-4]|25P02|40P01|42|44|54|55P03|57014|P0)/;

/** A server that can't be used, or the way to it, besides those in MESSAGES. */
const SERVER_FAILED = /^(?:08|53|57|EPIPE)/;
/** From pg, without a code. */
const CONNECTION_LOST = /terminated|timeout|not queryable/;

/** Locked, read-only, I/O, damaged, full, can't be opened, not a database. */
const FILE_FAILED = /^SQLITE (?:5|8|10|11|13|14|26)$/;

/** Deadlocks, a lack of resources, a server that stops or starts, canceled statements, and locks. */
const TRANSIENT = /^(?:40|53|57|55P03|SQLITE 5$)/;

/** Whether an error leaves the connection to Postgres usable. */
export const isAboutStatement = (error: unknown): boolean =>
  ABOUT_STATEMENT.test(codeOf(error) ?? '');

/** Whether SQLite failed because another process has locked the file (SQLITE_BUSY). */
export const isLocked = (error: unknown): boolean => codeOf(error) === 'SQLITE 5';

/** Whether the disk of Postgres or of the file is full. */
export const isFull = (error: unknown): boolean =>
  ['53100', 'SQLITE 13'].includes(codeOf(error) ?? '');

/** Whether an SQLite file is damaged, or isn't a database. */
export const isDamaged = (error: unknown): boolean =>
  ['SQLITE 11', 'SQLITE 26'].includes(codeOf(error) ?? '');

/** Whether a statement failed because of the database rather than because of the statement. */
export const isDatabaseFailure = (error: unknown): error is Error =>
  error instanceof DatabaseError || FILE_FAILED.test(codeOf(error) ?? '') || isServerFailure(error);

function isServerFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error && CONNECTION_LOST.test(error.message);
  return !isAboutStatement(error) && (code in MESSAGES || SERVER_FAILED.test(code));
}

/** Whether the same work may succeed in a moment. */
export function isTransient(error: unknown): boolean {
  // At the start, the address may be wrong, and an operator wants to hear that at once.
  const isFirstContact = error instanceof DatabaseError;
  const cause = isFirstContact ? error.cause : error;
  if (TRANSIENT.test(codeOf(cause) ?? '')) return true;
  if (cause instanceof Error && cause.message.includes('terminated')) return true;
  return !isFirstContact && isServerFailure(error);
}

/** PgBouncer refuses a connection's setting with 08P01, RDS Proxy with 0A000, others as unknown. */
export const isRefusedSetting = (error: unknown): boolean =>
  ['0A000', '42704', '22023'].includes(codeOf(error) ?? '') ||
  (error instanceof Error && /startup parameter/i.test(error.message));

/**
 * What the app waits for: a free connection to Postgres (`connect`), a transaction (`begin`), a
 * statement (`read`, `write`), or the disk (`commit`, which is also a rollback).
 */
export const DATABASE_STEPS = ['connect', 'begin', 'read', 'write', 'commit'] as const;
export type DatabaseStep = (typeof DATABASE_STEPS)[number];

export type OnStep = (step: DatabaseStep, seconds: number, error?: unknown) => void;

const STEPS: Record<string, DatabaseStep> = {
  begin: 'begin',
  commit: 'commit',
  rollback: 'commit',
  select: 'read',
};

/** For Kysely's log, which leaves out connecting. */
export const stepsOfLog = (onStep: OnStep) => (event: LogEvent) => {
  const [word = ''] = event.query.sql.split(' ', 1);
  const error = event.level === 'error' ? event.error : undefined;
  onStep(STEPS[word] ?? 'write', event.queryDurationMillis / 1_000, error);
};

export async function timeConnecting<Client>(connect: () => Promise<Client>, onStep: OnStep) {
  const begunAt = performance.now();
  const ended = (error?: unknown) =>
    onStep('connect', (performance.now() - begunAt) / 1_000, error);
  const connecting = connect();
  connecting.then(() => ended(), ended);
  return connecting;
}
