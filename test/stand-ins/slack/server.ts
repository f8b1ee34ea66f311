import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../change-feed.ts';
import type { Delivery } from './dispatch/delivery.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { postToApp } from './dispatch/http.ts';
import { createSocketHub } from './dispatch/sockets.ts';
import { createFaults } from './faults.ts';
import { frontListener } from './http-front.ts';
import { readManifest } from './manifest.ts';
import { createOAuth } from './oauth.ts';
import { personAt } from './people/person.ts';
import { signedRequest } from './signing.ts';
import type { ApiCall, User } from './state/model.ts';
import { createState, workspaceOf } from './state/state.ts';
import { issueConfigToken } from './web-api/app-manifests.ts';
import { createWebApi } from './web-api/call.ts';
import { addWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/** How long an acknowledgment may take. Source: Slack's documentation. */
const ACK_TIMEOUT_MS = 3000;
/** Before the first, second, and third retry of an event. Source: Slack's documentation. */
const RETRY_DELAYS_MS = [0, 60_000, 300_000];
/** Only failures take that long, on however busy a machine. */
const UNTIL_MS = 30_000;

export interface SlackOptions {
  manifest: unknown;
  clock?: () => Date;
  ackUpdateDelayMs?: number;
  retryDelaysMs?: number[];
  /** How long a used refresh token is accepted again. Slack says "a short grace period". */
  refreshGraceMs?: number;
  /** Only for tests: Slack's three seconds. */
  ackTimeoutMs?: number;
}

/** A strict Slack on loopback, with people in it, that lets tests read everything it did. */
export type Slack = Awaited<ReturnType<typeof startSlack>>;

export async function startSlack(options: SlackOptions) {
  const server = createServer();
  const manifest = readManifest(options.manifest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { clock = () => new Date() } = options;
  const state = createState(manifest, `http://127.0.0.1:${port}`, clock);
  const { app, feed } = state;
  const ackTimeoutMs = options.ackTimeoutMs ?? ACK_TIMEOUT_MS;
  const sockets = createSocketHub(state);
  const dispatcher = createDispatcher(state, sockets, {
    ackTimeoutMs,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
  });
  const oauth = createOAuth(state, options.refreshGraceMs);
  const api = createWebApi({ state, dispatcher, sockets }, oauth);
  const faults = createFaults(state);
  const apiCalls: ApiCall[] = [];
  const context = { state, dispatcher, ackUpdateDelayMs: options.ackUpdateDelayMs ?? 0 };
  let requestUrl = '';

  const handle = frontListener({ state, api, oauth, faults, apiCalls });
  server.on('request', handle);
  server.on('upgrade', sockets.upgrade);

  const sendRaw = (headers: Record<string, string>, body: string | Buffer) => {
    if (!requestUrl) throw new Error('No app is connected over HTTP');
    return postToApp(requestUrl, headers, body, ackTimeoutMs);
  };

  return {
    /** The Web API's URL, with a trailing slash. */
    apiUrl: `${state.origin}/api/`,
    authorizeUrl: `${state.origin}/oauth/v2/authorize`,
    signingSecret: app.signingSecret,
    appToken: app.appToken,
    clientId: app.clientId,
    clientSecret: app.clientSecret,
    appId: app.id,
    /** Sets the app's HTTP URL. A connected socket is preferred. */
    connect(url: string) {
      requestUrl = url;
      dispatcher.connect(url);
    },
    issueConfigToken: () => issueConfigToken(state),
    addWorkspace: (given: WorkspaceOptions = {}) => addWorkspace(context, given),
    personAt: (user: User) =>
      personAt({ ...context, workspace: workspaceOf(state, user.teamId), user }),
    /** Everything Slack sent to the app, oldest first. */
    deliveries: dispatcher.deliveries,
    /** Every call by the app, oldest first, including response_urls. */
    apiCalls,
    faults,
    sockets,
    /** URLs of pictures that Slack fails to download; '*' for all. */
    brokenImages: state.brokenImages,
    /** A person presses Allow, perhaps without some optional scopes. @returns where the browser is sent back to */
    authorize: (workspace: Workspace, user: User, url: string, without?: string[]) =>
      oauth.authorize(workspaceOf(state, workspace.id), user.id, url, without),
    /** Lets Slack load pages below an address on the internet from a server on this machine. */
    reach: (address: string, served: string) => void state.reachable.set(address, served),
    redeliver: (delivery: Delivery, retryNum = 1) => dispatcher.redeliver(delivery, retryNum),
    sendSigned(body: string | Buffer, contentType?: string) {
      const signed = signedRequest(app.signingSecret, body, clock(), contentType);
      return sendRaw(signed.headers, signed.body);
    },
    sendRaw,
    /** Resolves when nothing is being delivered, retried, or applied. */
    idle: dispatcher.idle,
    until: <T>(read: () => T, what = 'a change', timeoutMs = UNTIL_MS) =>
      until(feed, read, what, timeoutMs),
    onChange: feed.onChange,
    state,
    /** Answers a call that another server received; its path is as this server would see it. */
    handle,
    async close() {
      dispatcher.close();
      await sockets.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
