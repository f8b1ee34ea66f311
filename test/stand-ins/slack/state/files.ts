import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { SlackState } from './state.ts';

export interface StoredFile {
  id: string;
  name: string;
  mimetype: string;
  /** Bytes. */
  size: number;
  workspaceId: string;
  userId: string;
  createdAt: Date;
  /** What it contains; otherwise bytes that depend on the ID and the position, generated when they are read. */
  content: Uint8Array | undefined;
  status: 'ready' | 'uploading' | 'deleted';
  /** Whether it was shared with the app: uploaded in one of its forms, or in a conversation that it is in. */
  sharedWithApp: boolean;
  /** The address of a file that is elsewhere and only linked to. */
  external: string | undefined;
  /** What it is: canvases (also called quip) and lists are pages, without content to download. */
  mode: string;
  access: string;
}

export type FileOptions = Pick<StoredFile, 'name'> &
  Partial<Omit<StoredFile, 'id' | 'name' | 'workspaceId' | 'userId' | 'createdAt'>> & {
    createdAt?: Date;
  };

const SMALL_BYTES = 1_234;

/** Adds a file; by default a small one that was shared with the app. */
export function addFile(
  state: SlackState,
  owner: { workspaceId: string; userId: string },
  { name, content, ...options }: FileOptions,
): StoredFile {
  const file: StoredFile = {
    mimetype: 'application/octet-stream',
    size: content?.length ?? SMALL_BYTES,
    status: 'ready',
    sharedWithApp: true,
    external: undefined,
    mode: 'hosted',
    access: 'visible',
    createdAt: state.clock(),
    ...options,
    ...owner,
    name,
    content,
    id: state.ids.next('F'),
  };
  state.files.set(file.id, file);
  return file;
}

export const FILES_PATH = '/files-pri/';

const PAGES = ['quip', 'canvas', 'list'];

/**
 * What payloads contain of a file in a channel that is shared with another company: the rest is told by `files.info`
 * (docs.slack.dev/reference/objects/file-object).
 */
export const fileStub = ({ id, created, timestamp, user }: JsonObject): JsonObject => ({
  id,
  created,
  timestamp,
  user,
  mode: 'file_access',
  file_access: 'check_file_info',
});

/** A file in payloads and answers. Shape: `FilesInfoResponse` of @slack/web-api. */
export function fileOutput(state: SlackState, file: StoredFile): JsonObject {
  const { id, name, mimetype, size, workspaceId, userId, external, status, mode, access } = file;
  const seconds = Math.floor(file.createdAt.getTime() / 1000);
  const address = `${state.origin}${FILES_PATH}${workspaceId}-${id}`;
  const named = encodeURIComponent(name);
  const base = {
    id,
    name,
    title: name,
    user: userId,
    created: seconds,
    timestamp: seconds,
    editable: false,
    permalink: `${state.origin}/files/${userId}/${id}/${named}`,
  };
  if (status === 'deleted') return { id, mode: 'tombstone' };
  if (external !== undefined) {
    return {
      ...base,
      mimetype: 'application/vnd.slack-remote',
      filetype: 'remote',
      size: 0,
      mode: 'external',
      is_external: true,
      file_access: 'visible',
      url_private: external,
      external_url: external,
    };
  }
  // While an upload is being processed, type, size, and addresses are missing.
  if (status === 'uploading') {
    return { ...base, mimetype: '', filetype: '', size: 0, mode: 'hosted', is_external: false };
  }
  if (PAGES.includes(mode)) {
    return {
      ...base,
      mode,
      filetype: mode,
      size,
      is_external: false,
      mimetype: 'application/vnd.slack-docs',
      file_access: access,
      url_private: `${state.origin}/docs/${workspaceId}/${id}`,
      url_private_download: `${address}/download/${named}`,
    };
  }
  return {
    ...base,
    mimetype,
    size,
    filetype: name.split('.').at(-1) ?? '',
    mode,
    is_external: false,
    file_access: access,
    url_private: `${address}/${named}`,
    url_private_download: `${address}/download/${named}`,
  };
}

const BLOCK_BYTES = 64 * 1024;

/** The bytes, in pieces, without ever holding all of them. */
export function* bytesOf({
  id,
  content,
  size,
}: Pick<StoredFile, 'id' | 'content' | 'size'>): Generator<Uint8Array> {
  if (content) {
    yield content;
    return;
  }
  const pattern = createHash('shake256', { outputLength: BLOCK_BYTES }).update(id).digest();
  for (let number = 0; number * BLOCK_BYTES < size; number += 1) {
    const block = Buffer.from(pattern);
    // So that no two blocks are the same.
    block.writeUInt32BE(number);
    yield block.subarray(0, Math.min(BLOCK_BYTES, size - number * BLOCK_BYTES));
  }
}
