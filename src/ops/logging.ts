import { pino } from 'pino';

export type Log = pino.Logger;

/**
 * Slack's tokens by their published prefixes: xoxb-, xoxp-, xoxe., xapp-, xwfp- and so on. Whatever
 * stands before them: in a line of JSON that may be the letter of an escaped line end.
 */
const SLACK_TOKEN = /x(?:ox[a-z]|app|wfp)[-.][\w.-]+/g;
const HIDDEN = '[hidden]';

/**
 * A structured log that keeps secrets out.
 *
 * Callers log ids and codes, never payloads; this is the second line of defence: every line is
 * searched for Slack tokens and for the given secrets before it leaves the process.
 *
 * @param options.secrets values that must never be written, such as the signing secret
 * @param options.destination where lines go; standard output where it is left out
 */
export function createLog(options: {
  level: string;
  secrets?: readonly string[];
  destination?: pino.DestinationStream;
}): Log {
  const secrets = asWritten(options.secrets ?? []);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => describeError(error) },
      hooks: {
        streamWrite: (line) =>
          secrets
            .reduce((text, secret) => text.replaceAll(secret, HIDDEN), line)
            .replaceAll(SLACK_TOKEN, HIDDEN),
      },
    },
    options.destination ?? pino.destination({ fd: 1, sync: false }),
  );
}

/** Secrets as they stand in a line of JSON, the longest first: one may be the beginning of another. */
function asWritten(secrets: readonly string[]): string[] {
  const written = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return [...new Set(written)].filter(Boolean).sort((a, b) => b.length - a.length);
}

/** An error may be its own cause's cause. */
const MOST_CAUSES = 5;

/** What a log may hold of an error: no request, no response, no body that libraries hang on it. */
function describeError(error: unknown, causes = MOST_CAUSES): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(causes > 0 && error.cause instanceof Error
      ? { cause: describeError(error.cause, causes - 1) }
      : {}),
  };
}
