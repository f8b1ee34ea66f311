import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addDemoCards } from './demo/demo-cards.ts';
import { demoBrands, demoRequestTypes, demoTags } from './demo/demo-lists.ts';
import { handleCall } from './handle-call.ts';
import { type CallFilter, filterCalls, largestWindow } from './ledger.ts';
import { errorReply } from './replies.ts';
import { FILES_PATH, serveFile } from './serve-file.ts';
import { createServiceState, type ServiceState, type StateOptions } from './service-state.ts';

const LOOPBACK = '127.0.0.1';

export type DesignServiceOptions = StateOptions & {
  apiKey?: string;
  /** 'demo' by default: six types, 300 brands, a dozen tags, eight cards. */
  seed?: 'demo' | 'empty';
};

export type DesignService = Awaited<ReturnType<typeof startDesignService>>;

/** Starts the stand-in on loopback. */
export async function startDesignService(options: DesignServiceOptions = {}) {
  const closing = new AbortController();
  const server = createServer();
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `http://${LOOPBACK}:${port}`;

  const state = createServiceState(options, origin, closing.signal);
  if ((options.seed ?? 'demo') === 'demo') seedDemo(state);
  const handle = (req: IncomingMessage, res: ServerResponse) => receive(state, req, res);
  server.on('request', handle);

  return {
    url: origin + state.basePath,
    apiKey: state.keys.issue(options.apiKey === undefined ? {} : { key: options.apiKey }),
    issueKey: state.keys.issue,
    revokeKey: state.keys.revoke,
    regenerateKey: state.keys.regenerate,
    issuedKeys: state.keys.issued,
    forbid: state.keys.forbid,
    limitKey: state.keys.limit,
    referenceLists: state.referenceLists,
    cards: state.cards,
    downloads: state.downloads,
    answers: state.answers,
    faults: state.faults,
    ledger: state.ledger,
    /** A key's rate limit state, as the next answer's headers would say; undefined for an invalid key. */
    budgetOf(key: string) {
      const limit = state.keys.find(key)?.requestsPerMinute;
      return limit === undefined ? undefined : state.rates.peek(key, limit);
    },
    onChange: state.feed.onChange,
    calls: (filter?: CallFilter) => filterCalls(state.ledger, filter),
    largestWindow: () => largestWindow(state.ledger),
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
  state.referenceLists.requestTypes = demoRequestTypes();
  state.referenceLists.brands = demoBrands();
  state.referenceLists.tags = demoTags();
  addDemoCards(state.cards, state.clock());
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
