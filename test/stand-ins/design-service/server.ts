import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultAnswers } from './answers.ts';
import { createApiKeys } from './api-keys.ts';
import { createCards } from './cards.ts';
import { addDemoCards } from './demo/demo-cards.ts';
import { demoBrands, demoRequestTypes, demoTags } from './demo/demo-lists.ts';
import { createDownloads } from './downloads.ts';
import { createFaults, seededRandom } from './faults.ts';
import { handleCall } from './handle-call.ts';
import { type CallFilter, filterCalls, largestWindow } from './ledger.ts';
import { createRateLimiter } from './rate-limit.ts';
import { errorReply } from './replies.ts';
import { FILES_PATH, serveFile } from './serve-file.ts';
import { createServiceFeed, type ServiceState } from './service-state.ts';

/** api.md 8: typically 60 requests per minute and key. */
const REQUESTS_PER_MINUTE = 60;

/** The API's path. Not the root, so that callers must keep base paths. */
const BASE_PATH = '/client/api';

const LOOPBACK = '127.0.0.1';
const RANDOM_SEED = 20_260_101;

export type DesignServiceOptions = {
  /** A free port by default. */
  port?: number;
  clock?: () => Date;
  /** The first account's first key; random by default. */
  apiKey?: string;
  /** 60 by default. */
  requestsPerMinute?: number;
  /** 'demo' by default: six types, 300 brands, a dozen tags, eight cards. */
  seed?: 'demo' | 'empty';
  /** First word of the two partner products; 'Partner' by default. */
  partnerName?: string;
  /** From 0 up to 1, for faults with a probability; by default the same numbers every time. */
  random?: () => number;
};

/** A running stand-in for the design service of api.md, with controls for tests. */
export type DesignService = Awaited<ReturnType<typeof startDesignService>>;

/** Starts the stand-in on loopback. Rejects if the port is in use. */
export async function startDesignService(options: DesignServiceOptions = {}) {
  const { clock = () => new Date(), partnerName = 'Partner' } = options;
  const closing = new AbortController();
  const server = createServer();
  server.listen(options.port ?? 0, LOOPBACK);
  await once(server, 'listening');
  const origin = `http://${LOOPBACK}:${portOf(server.address())}`;

  const feed = createServiceFeed();
  const filesUrl = () => `${origin}${FILES_PATH}`;
  const answers = defaultAnswers();
  const downloads = createDownloads(clock, {
    closing: closing.signal,
    changed: () => feed.emit({ kind: 'card' }),
  });
  const state: ServiceState = {
    clock,
    timezone: 'UTC',
    partnerName,
    basePath: BASE_PATH,
    filesUrl,
    answers,
    referenceLists: { requestTypes: [], brands: [], tags: [] },
    cards: createCards(clock, filesUrl, () => feed.emit({ kind: 'card' })),
    downloads,
    keys: createApiKeys(options.requestsPerMinute ?? REQUESTS_PER_MINUTE),
    rates: createRateLimiter(clock, answers),
    faults: createFaults(options.random ?? seededRandom(RANDOM_SEED)),
    ledger: [],
    feed,
    closing: closing.signal,
  };
  if ((options.seed ?? 'demo') === 'demo') seedDemo(state);
  const handle = (req: IncomingMessage, res: ServerResponse) => receive(state, req, res);
  server.on('request', handle);

  return {
    /** Base URL without a trailing slash. */
    url: `${origin}${BASE_PATH}`,
    /** A valid key of the first account. */
    apiKey: state.keys.issue(options.apiKey === undefined ? {} : { key: options.apiKey }),
    issueKey: state.keys.issue,
    revokeKey: state.keys.revoke,
    regenerateKey: state.keys.regenerate,
    issuedKeys: state.keys.issued,
    forbid: state.keys.forbid,
    limitKey: state.keys.limit,
    referenceLists: state.referenceLists,
    cards: state.cards,
    downloads,
    answers,
    faults: state.faults,
    ledger: state.ledger,
    /** A key's rate limit state, as the next answer's headers would say; undefined for an invalid key. */
    budgetOf(key: string) {
      const limit = state.keys.find(key)?.requestsPerMinute;
      return limit === undefined ? undefined : state.rates.peek(key, limit);
    },
    onChange: feed.onChange,
    calls: (filter?: CallFilter) => filterCalls(state.ledger, filter),
    /** The most calls in any 60 s with the given key, or with the busiest one. */
    largestWindow: (keyOrFingerprint?: string) => largestWindow(state.ledger, keyOrFingerprint),
    /** Answers a call that another server received; its path is as this server would see it. */
    handle,
    /** Ends the server and every connection at once, even stalled ones. */
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function seedDemo(state: ServiceState): void {
  state.referenceLists.requestTypes = demoRequestTypes(state.partnerName);
  state.referenceLists.brands = demoBrands();
  state.referenceLists.tags = demoTags();
  addDemoCards(state.cards, state.clock(), state.partnerName);
}

function receive(state: ServiceState, req: IncomingMessage, res: ServerResponse): void {
  if (req.url?.startsWith(`${FILES_PATH}/`)) {
    serveFile(state, req, res);
    return;
  }
  handleCall(state, req, res).catch((error: unknown) => {
    // If the caller left or the service is closing, there is nobody to answer.
    if (state.closing.aborted || req.socket.destroyed) return;
    // Anything else is a bug in the stand-in itself, so report it visibly.
    if (res.headersSent) req.socket.destroy();
    else {
      const { status, body } = errorReply(500, `The stand-in failed: ${String(error)}`);
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
    }
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('No TCP port.');
  return address.port;
}
