import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CHANNEL_ID, USER_ID, WORKSPACE_ID } from './deliveries.ts';

/** A call by the app, and when it arrived here, by `performance.now()`. */
type SlackCall = { method: string; args: Record<string, string>; arrivedAt: number };

export type AnsweringSlack = Awaited<ReturnType<typeof startAnsweringSlack>>;

const LOOPBACK = '127.0.0.1';
const BOT = { user_id: 'U0BENCHBOT', bot_id: 'B0BENCHBOT', app_id: 'A0BENCH001' };

/**
 * A Slack that accepts everything at once and checks nothing, so that only the app's time is measured. The strict
 * stand-in (test/stand-ins/slack) would affect the results.
 */
export async function startAnsweringSlack() {
  let listener: (call: SlackCall) => void = () => undefined;
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const method = request.url?.slice('/api/'.length).split('?')[0] ?? '';
    const args = await argumentsOf(request);
    listener({ method, args, arrivedAt });
    const answer = JSON.stringify({ ok: true, ...answers(workspaceOf(request), args)[method] });
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** The value for SLACK_API_URL. */
    apiUrl: `http://${LOOPBACK}:${port}/api/`,
    /** Gets every call before it is answered. */
    onCall: (next: (call: SlackCall) => void) => {
      listener = next;
    },
  };
}

const TOKEN_OF = 'xoxb-of-';

export const tokenOf = (workspaceId: string): string => `${TOKEN_OF}${workspaceId}`;

/** The workspace whose token a call is made with; a token may name none. */
const workspaceOf = ({ headers }: IncomingMessage): string =>
  headers.authorization?.split(TOKEN_OF)[1] ?? WORKSPACE_ID;

async function argumentsOf(request: IncomingMessage): Promise<Record<string, string>> {
  const body = await text(request);
  return request.headers['content-type']?.startsWith('application/json')
    ? JSON.parse(body)
    : Object.fromEntries(new URLSearchParams(body));
}

function answers(
  workspaceId: string,
  args: Record<string, string>,
): Record<string, Record<string, unknown>> {
  const view = { view: { id: `V${args.trigger_id ?? args.view_id}`, hash: '1700000000.hash' } };
  return {
    'auth.test': { team_id: workspaceId, team: 'Acme', ...BOT },
    'users.info': {
      user: { id: args.user ?? USER_ID, team_id: workspaceId, name: 'ann', is_admin: false },
    },
    'conversations.info': { channel: { id: CHANNEL_ID, name: 'general' } },
    'views.open': view,
    'views.update': view,
  };
}
