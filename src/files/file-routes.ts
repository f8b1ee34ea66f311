import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorkspaceId } from '../installations/workspace-id.ts';
import { type Routes, send } from '../ops/http-server.ts';
import type { Log } from '../ops/logging.ts';
import { filesOf } from '../requests/attached-files.ts';
import type { RequestStore } from '../store/requests.ts';
import { createDownloadSlots } from './download-slots.ts';
import { FILES_PATH, type FileLinks, type FileRef } from './file-links.ts';
import type { FileSource, ReadyFile } from './file-source.ts';
import { rangeOf, sendContent, sendHead, sendUnsatisfiable } from './serve-file.ts';

/** The longest download, in ms: 500 MB at 150 kB a second. A client can resume what is cut off. */
const DOWNLOAD_MAX_MS = 60 * 60_000;
/** For Slack's answers before the first byte, in ms. */
const START_MAX_MS = 15_000;
const RETRY_AFTER_SECONDS = 15;

type FileRoutesDeps = {
  links: FileLinks;
  source: FileSource;
  requests: Pick<RequestStore, 'get'>;
  /** Whether a workspace has the app. */
  has: (workspaceId: WorkspaceId) => Promise<boolean>;
  /** Whether Slack says that asking again is useless. */
  isFinal: (error: unknown) => boolean;
  log: Log;
};

/**
 * `GET` and `HEAD /files/…`: passes on a file of a request from Slack to the design service, without storing it.
 * Everything that isn't a valid link to an available file gets the same 404, whatever the reason; what may work
 * later gets 503 with Retry-After.
 */
export function fileRoutes(deps: FileRoutesDeps): Routes {
  const slots = createDownloadSlots();

  /** The file, if its link is valid and its request still has it. */
  async function find(path: string): Promise<Found | 'missing' | 'later'> {
    const ref = deps.links.read(path);
    if (!ref || !(await isStillAttached(deps, ref))) return 'missing';
    try {
      const file = await deps.source.describe(ref.workspaceId, ref.fileId);
      if (typeof file === 'object') return { ref, file };
      return file === 'uploading' ? 'later' : 'missing';
    } catch (error) {
      if (deps.isFinal(error)) return 'missing';
      deps.log.warn({ err: error, ...about(ref) }, 'could not ask Slack about a file');
      return 'later';
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const found = await find((request.url ?? '').split('?')[0] ?? '');
    if (found === 'missing') return notFound(response);
    if (found === 'later') return later(response);
    const range = rangeOf(request, found.file);
    if (range === 'unsatisfiable') return sendUnsatisfiable(response, found.file);
    if (request.method === 'HEAD') return sendHead(response, found.file);
    await sendInTurn(response, found, range);
  }

  async function sendInTurn(
    response: ServerResponse,
    found: Found,
    range: string | undefined,
  ): Promise<void> {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const free = await slots.take(found.ref.workspaceId, left.signal);
    if (!free) return later(response);
    try {
      if (!response.closed) await download(response, found, { range, left: left.signal });
    } catch (error) {
      // Its client left, or Slack did; either way it can be resumed. The error may contain an address.
      const code = left.signal.aborted ? 'client_left' : codeOf(error);
      deps.log.info({ ...about(found.ref), code }, 'a download of a file ended early');
      if (response.headersSent) response.destroy();
      else later(response);
    } finally {
      free();
    }
  }

  async function download(
    response: ServerResponse,
    { ref, file }: Found,
    { range, left }: { range: string | undefined; left: AbortSignal },
  ): Promise<void> {
    const signal = AbortSignal.any([left, AbortSignal.timeout(DOWNLOAD_MAX_MS)]);
    const starting = new AbortController();
    const timer = setTimeout(() => starting.abort(), START_MAX_MS);
    const opened = await deps.source
      .open(ref.workspaceId, file, { range, signal: AbortSignal.any([signal, starting.signal]) })
      .finally(() => clearTimeout(timer));
    if (opened.kind === 'refused') return notFound(response);
    if (opened.kind === 'later') return later(response, opened.retryAfterSeconds);
    await sendContent(response, file, opened, signal);
  }

  return { [`GET ${FILES_PATH}*`]: serve, [`HEAD ${FILES_PATH}*`]: serve };
}

type Found = { ref: FileRef; file: ReadyFile };

/** A link is worth nothing once its workspace has left, or its request was changed, discarded, or deleted. */
async function isStillAttached({ has, requests }: FileRoutesDeps, ref: FileRef): Promise<boolean> {
  const { workspaceId, requestId, fileId } = ref;
  if (!(await has(workspaceId))) return false;
  const request = await requests.get(workspaceId, requestId);
  if (!request || request.state === 'discarded') return false;
  return filesOf(request.form).some(({ id }) => id === fileId);
}

const about = ({ workspaceId, fileId }: FileRef) => ({ workspace: workspaceId, file: fileId });

const codeOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? String(error.code) : error.name) : 'unknown';

/** As for any path that doesn't exist. */
const notFound = (response: ServerResponse) => send(response, 404, { error: 'not_found' });

function later(response: ServerResponse, seconds = RETRY_AFTER_SECONDS): void {
  response.setHeader('retry-after', seconds);
  send(response, 503, { error: 'try_again_later' });
}
