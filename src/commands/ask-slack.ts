import { z } from 'zod';
import { failureReason, httpFetch } from '../outgoing.ts';

export type SlackAnswer =
  | {
      kind: 'answer';
      body: z.infer<typeof slackBody>;
      /** The scopes of the token, from the header `x-oauth-scopes`. */
      scopes: string[];
      /** Slack's clock. */
      date: Date | undefined;
    }
  | { kind: 'unreachable'; reason: string };

const slackBody = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

/** An operator waits. */
const TIMEOUT_MS = 10_000;

/** Calls a Web API method once. Unlike the app's own client, it returns the headers, too. */
export async function askSlack(
  options: { apiUrl: string; token: string },
  method: string,
  args: Record<string, string> = {},
): Promise<SlackAnswer> {
  try {
    const request = {
      method: 'POST',
      headers: {
        authorization: `Bearer ${options.token}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(args).toString(),
    };
    const url = new URL(options.apiUrl + method);
    const response = await httpFetch(url, request, { timeoutMs: TIMEOUT_MS });
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

/** A short code such as ECONNREFUSED, or a few words; never a message that could quote what was sent. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'error';
  if (error.name === 'TimeoutError') return 'no answer in time';
  if (error.message === 'unexpected redirect') return 'it redirects to another address';
  return failureReason(error);
}
