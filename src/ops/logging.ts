import { pino } from 'pino';

export type Log = pino.Logger;

/** Slack's tokens by their published prefixes: xoxb-, xoxp-, xoxe., xapp- and so on. */
const SLACK_TOKEN = /\bx(?:ox[a-z]|app)[-.][\w.-]+/g;
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
  const secrets = (options.secrets ?? []).filter((secret) => secret.length > 0);
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
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

/** What a log may hold of an error: no request, no response, no body that libraries hang on it. */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
    ...(error.cause instanceof Error ? { cause: describeError(error.cause) } : {}),
  };
}
