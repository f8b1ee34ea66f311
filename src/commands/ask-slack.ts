import { z } from 'zod';

/** Slack's answer to a call, or why there is none. */
export type SlackAnswer =
  | {
      kind: 'answer';
      /** With `ok`, and `error` if it is false. */
      body: SlackBody;
      /** The scopes of the token, from the header `x-oauth-scopes`. */
      scopes: string[];
      /** Slack's clock. */
      date: Date | undefined;
    }
  | { kind: 'unreachable'; reason: string };

const slackBody = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
type SlackBody = z.infer<typeof slackBody>;

/** In ms. An operator waits. */
const TIMEOUT_MS = 10_000;

/**
 * Calls a Web API method once. Unlike the app's own client, it returns the headers, too.
 *
 * @param options.apiUrl with a trailing slash
 */
export async function askSlack(
  options: { apiUrl: string; token: string },
  method: string,
  args: Record<string, string> = {},
): Promise<SlackAnswer> {
  try {
    const response = await fetch(options.apiUrl + method, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.token}` },
      body: new URLSearchParams(args),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const parsed = slackBody.safeParse(await response.json().catch(() => undefined));
    if (!parsed.success) return { kind: 'unreachable', reason: `HTTP ${response.status}` };
    const date = new Date(response.headers.get('date') ?? '');
    return {
      kind: 'answer',
      body: parsed.data,
      scopes: (response.headers.get('x-oauth-scopes') ?? '').split(/,\s*/).filter(Boolean),
      date: Number.isNaN(date.getTime()) ? undefined : date,
    };
  } catch (error) {
    return { kind: 'unreachable', reason: reasonOf(error) };
  }
}

export const NOT_HTTP = "what answers doesn't use HTTP";

/** By the message of Node's `fetch`, where it gives no code. */
const WITHOUT_CODE: Record<string, string> = {
  'bad port': 'this port is reserved for another protocol',
  'unexpected redirect': 'it redirects to another address',
};

/** A short code such as ECONNREFUSED, or a few words; never a message that could repeat what was sent. */
export function reasonOf(error: unknown): string {
  const { cause, name } = error instanceof Error ? error : { cause: undefined, name: 'error' };
  if (name === 'TimeoutError') return 'no answer in time';
  if (!(cause instanceof Error)) return name;
  const { code }: NodeJS.ErrnoException = cause;
  if (code !== undefined) return code;
  return cause.name === 'HTTPParserError' ? NOT_HTTP : (WITHOUT_CODE[cause.message] ?? name);
}
