import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from './faults.ts';
import { bytesOf, FILES_PATH, type StoredFile } from './state/files.ts';
import type { ApiCall } from './state/model.ts';
import { type SlackState, workspaceOf } from './state/state.ts';
import { covers, tokenRefusal } from './state/tokens.ts';

/** How a download appears among the app's calls, and what faults name. */
export const DOWNLOAD = 'file_download';

const ADDRESS = /^\/files-pri\/(\w+)-(\w+)\/(?:download\/)?[^/]+$/;

export function readerOf(state: SlackState, path: string, authorization: string) {
  const [, workspaceId = '', id = ''] = ADDRESS.exec(path) ?? [];
  const file = state.files.get(id);
  const token = state.tokens.get(/^Bearer (\S+)$/.exec(authorization)?.[1] ?? '');
  const mayRead =
    file?.workspaceId === workspaceId &&
    tokenRefusal(state, token) === undefined &&
    token !== undefined &&
    covers(token, workspaceOf(state, workspaceId)) &&
    token.scopes.includes('files:read') &&
    file.sharedWithApp;
  return { file: mayRead ? file : undefined, workspaceId: token?.workspaceId };
}

/** Serves a file's bytes, always all of them. */
export async function serveFile(
  file: StoredFile,
  request: IncomingMessage,
  response: ServerResponse,
  { call, fault }: { call: ApiCall; fault: FaultKind | undefined },
): Promise<void> {
  if (file.status !== 'ready' || file.external !== undefined) {
    call.status = 404;
    response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    return;
  }
  response.writeHead(200, {
    'content-type': file.mimetype,
    'content-length': file.size,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const source = Readable.from(served(bytesOf(file), call, fault));
  await pipeline(source, response).catch(() => response.destroy());
}

async function* served(pieces: Iterable<Uint8Array>, call: ApiCall, fault: FaultKind | undefined) {
  const most = fault?.kind === 'cut_after' ? fault.bytes : Number.POSITIVE_INFINITY;
  let sent = 0;
  for (const piece of pieces) {
    if (sent + piece.length > most) {
      yield piece.subarray(0, most - sent);
      throw new Error('cut off');
    }
    yield piece;
    sent += piece.length;
    call.response = { ...call.response, bytes: sent };
    if (fault?.kind === 'paced') await sleep((piece.length / fault.bytesPerSecond) * 1_000);
  }
}

export const isFileAddress = (path: string): boolean => path.startsWith(FILES_PATH);
