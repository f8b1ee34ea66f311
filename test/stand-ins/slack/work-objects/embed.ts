import type { SlackState } from '../state/state.ts';

/** All are required. Source: docs.slack.dev/changelog/2026/11/06/work-objects-embeds-frame-ancestors. */
const FRAME_ANCESTORS = [
  'https://*.slack.com',
  'https://*.slack-gov.com',
  'https://*.slack-mcps.com',
];

/** Loads the page of an embed, as a browser does in Slack's frame. */
export async function loadEmbed(
  { reachable }: SlackState,
  address: string,
): Promise<{ page: string } | { problem: string }> {
  const [at, server] = [...reachable].find(([known]) => address.startsWith(`${known}/`)) ?? [];
  const url = at === undefined ? address : `${server}${address.slice(at.length)}`;
  const response = await fetch(url, {
    headers: { origin: 'null', 'sec-fetch-dest': 'iframe' },
    redirect: 'error',
  }).catch(() => undefined);
  if (!response) return { problem: 'The page can’t be reached.' };
  const problem = problemOf(response);
  return problem ? { problem } : { page: await response.text() };
}

function problemOf({ ok, status, headers }: Response): string | undefined {
  if (!ok) return `The page answered with ${status}.`;
  const policy = headers.get('content-security-policy') ?? '';
  const ancestors = /(?:^|;)\s*frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(/\s+/) ?? [];
  const missing = FRAME_ANCESTORS.find((one) => !ancestors.includes(one));
  if (missing) return `The page can’t be framed by ${missing}.`;
  if (headers.has('x-frame-options')) return 'X-Frame-Options forbids the frame.';
  if (headers.has('set-cookie')) return 'The page sets a cookie, which a frame of Slack ignores.';
  if (!headers.get('content-type')?.startsWith('text/html')) return 'The page is no HTML.';
  return undefined;
}
