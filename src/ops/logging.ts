import { pino } from 'pino';
import { OperatorError } from './operator-error.ts';
import { standardOutput } from './standard-output.ts';

export type Log = pino.Logger;

/**
 * Slack's tokens by their documented prefixes: xoxb-, xoxp-, xoxe., xapp-, xwfp-, … No word boundary before
 * them, because in JSON the `n` of an escaped newline may precede one.
 */
const SLACK_TOKEN = /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/g;
const HIDDEN = '[hidden]';

/**
 * A structured log without secrets. Callers log IDs and codes, never payloads; as a second safeguard, Slack
 * tokens and the given secrets are removed from every line.
 */
export function createLog(options: {
  level: string;
  secrets?: readonly string[];
  destination?: pino.DestinationStream;
}): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: {
        logMethod(args, method, level) {
          const [fields] = args as [unknown];
          if (level < FATAL && isRepeated(fields)) return;
          method.apply(this, args);
        },
        streamWrite: hiding(options.secrets ?? []),
      },
    },
    options.destination ?? standardOutput,
  );
}

const FATAL = 60;

const logged = new WeakSet<Error>();

/**
 * Notes that the cause of an error was logged, such as that the database is unavailable. From then on, no line with
 * this error is written, except with a reference that a person was shown.
 */
export function markAsLogged(error: unknown): void {
  if (error instanceof Error) logged.add(error);
}

const isLogged = (error: unknown, causes = MAX_CAUSES): boolean =>
  error instanceof Error &&
  (logged.has(error) || (causes > 0 && isLogged(error.cause, causes - 1)));

const isRepeated = (fields: unknown): boolean =>
  typeof fields === 'object' &&
  fields !== null &&
  'err' in fields &&
  !('ref' in fields) &&
  isLogged(fields.err);

/** Removes Slack's tokens and the given secrets from JSON. The longest come first: one may be a prefix of another. */
export function hiding(secrets: readonly string[]): (json: string) => string {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const sorted = [...new Set(written)].filter(Boolean).sort((a, b) => b.length - a.length);
  return (json) => {
    let text = json;
    for (const secret of sorted) text = text.replaceAll(secret, HIDDEN);
    return text.replaceAll(SLACK_TOKEN, HIDDEN);
  };
}

/** Limits cycles: an error may be the cause of its own cause. */
const MAX_CAUSES = 5;
/** How many errors of an AggregateError are listed (our choice: hosts have fewer addresses). */
const MAX_LISTED = 10;

/**
 * With its causes, and with what an AggregateError consists of, such as the attempts at each address of a host. Leaves
 * out requests, responses, and bodies, which libraries attach to their errors.
 */
function describeError(error: unknown, causes = MAX_CAUSES): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const { cause } = error;
  const code = 'code' in error ? error.code : undefined;
  const describe = (other: unknown) => describeError(other, causes - 1);
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error instanceof OperatorError || logged.has(error) ? undefined : error.stack,
    ...(typeof cause === 'string' ? { cause } : {}),
    ...(causes > 0 && cause instanceof Error ? { cause: describe(cause) } : {}),
    ...(causes > 0 && error instanceof AggregateError
      ? { errors: error.errors.slice(0, MAX_LISTED).map(describe) }
      : {}),
  };
}

/** Logs once that something fails, and once that it works again, however often both are reported. */
export function createOutage(log: Log, words: { begins: string; ends: string }) {
  /** Undefined while it works, otherwise when it may count as over, by `performance.now()`. */
  let until: number | undefined;
  return {
    /** @param forMs how long nothing must fail before the outage counts as over */
    failed(reason: string | undefined, forMs: number) {
      if (until === undefined) log.error({ reason }, words.begins);
      until = Math.max(until ?? 0, performance.now() + forMs);
    },
    worked() {
      if (until === undefined || performance.now() < until) return;
      until = undefined;
      log.info(words.ends);
    },
  };
}
