import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { installApp } from '../install-app.ts';
import type { Stage } from '../stage.ts';
import { type Backend, openBackend } from './backend.ts';
import { bundlePages, type PageFiles } from './http/bundle.ts';
import { answerJson, Refused, readBytes, readJson, refusalOf } from './http/messages.ts';
import { populate } from './populate.ts';

export type Pages = Awaited<ReturnType<typeof startPages>>;

type PagesOptions = {
  /** 0 for any free port; by default the usual one, or any other if that is in use. */
  port?: number;
  files?: Promise<PageFiles>;
};

const LOOPBACK = '127.0.0.1';
/** The same in every run, so that open tabs keep working; another one if it is in use. */
const USUAL_PORT = 4380;
/** Files that people upload here are kept in memory. */
const MAX_UPLOAD_BYTES = 50_000_000;
const PAGES = new Set(['/', '/dashboard', '/log']);
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; img-src 'self' data: http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** Fills the stage with people and channels to explore, and serves the sandbox's pages, only to this machine. */
export async function startPages(stage: Stage, options: PagesOptions = {}) {
  const { globex, grace } = populate(stage);
  let bundled = options.files;
  const files = () => {
    bundled ??= bundlePages();
    return bundled;
  };
  const backend = openBackend(stage);
  const server = createServer();
  const port = await listen(server, options.port);
  server.on('request', (request, response) => {
    serve({ backend, stage, files, port }, request, response).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      const status = error instanceof Refused ? error.status : 500;
      if (response.headersSent) response.destroy();
      else answerJson(response, status, { problem: text });
    });
  });
  return {
    /** The app's process, once it runs. */
    app: backend.app,
    /** Bundles the pages, which takes half a second; otherwise the first visitor waits for it. */
    async prepare() {
      await files();
    },
    /** Installs the app, which listens there, in the second workspace too. */
    openSecondWorkspace: (appUrl: string) =>
      installApp(stage.slack, { appUrl, workspace: globex, admin: grace }),
    url: `http://${LOOPBACK}:${port}`,
    async close() {
      backend.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listen(server: ReturnType<typeof createServer>, port: number | undefined) {
  try {
    server.listen(port ?? USUAL_PORT, LOOPBACK);
    await once(server, 'listening');
  } catch (error) {
    if (port !== undefined) throw error;
    server.listen(0, LOOPBACK);
    await once(server, 'listening');
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port.');
  return address.port;
}

type Serving = { backend: Backend; stage: Stage; files: () => Promise<PageFiles>; port: number };

async function serve(
  { backend, stage, files, port }: Serving,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
  const refusal = refusalOf(request, port);
  if (refusal) throw new Refused(403, refusal);
  const { pathname, searchParams } = new URL(request.url ?? '/', `http://${LOOPBACK}`);

  if (request.method === 'POST' && pathname.startsWith('/act/')) {
    const answer = await backend.act(pathname.slice('/act/'.length), await readJson(request));
    return answerJson(response, 200, answer);
  }
  if (request.method === 'POST' && pathname === '/upload') {
    const content = await readBytes(request, MAX_UPLOAD_BYTES);
    return answerJson(response, 200, backend.upload(searchParams, content));
  }
  if (request.method !== 'GET') throw new Refused(405, 'Only GET and POST are served.');
  if (pathname.startsWith('/live/')) {
    return backend.follow(pathname.slice('/live/'.length), searchParams, response);
  }
  if (pathname === '/read/log') {
    return answerJson(response, 200, backend.logDetail(Number(searchParams.get('seq'))));
  }
  if (pathname === '/embed') return serveEmbed(stage, searchParams.get('as') ?? '', response);
  const file = (await files()).get(PAGES.has(pathname) ? '/index.html' : pathname);
  if (!file) throw new Refused(404, 'Not found.');
  response.writeHead(200, { 'content-type': file.type }).end(file.body);
}

/** The app's page in the pane that a person has open, with a policy as strict as that of the app. */
function serveEmbed({ slack }: Stage, userId: string, response: ServerResponse): void {
  const embed = slack.state.openPanes.get(userId)?.embed;
  if (!embed || !('page' in embed)) throw new Refused(404, 'Not found.');
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src http://127.0.0.1:*; style-src 'unsafe-inline'; frame-ancestors 'self'",
    })
    .end(embed.page);
}
