import type { Readable } from 'node:stream';
import type { WorkspaceId } from '../installations/workspace-id.ts';

/** A file that can be downloaded. */
export type ReadyFile = {
  id: string;
  name: string;
  /** Its media type, for example `image/png`. */
  type: string;
  bytes: number;
  /** Different whenever the content is. */
  version: string;
  /** Where it is downloaded from, with the workspace's token. */
  url: string;
};

/** Why a file can't be downloaded, for good. A page is a canvas or a list, which has no content of its own. */
export const LOST_FILE_PROBLEMS = [
  'deleted',
  'forbidden',
  'external',
  'page',
  'too_large',
] as const;
export type LostFileProblem = (typeof LOST_FILE_PROBLEMS)[number];

/** Why a file can't be downloaded. Only `uploading` passes. */
export type FileProblem = 'uploading' | LostFileProblem;

/** A body, or why there is none. */
export type Download =
  | {
      kind: 'content';
      body: Readable;
      /** The first and last byte; undefined for the whole file. */
      range: { first: number; last: number } | undefined;
    }
  | { kind: 'refused' }
  | { kind: 'later'; retryAfterSeconds: number };

/** Where files are. */
export type FileSource = {
  /** @throws NotInstalledError, or Slack's error if it doesn't answer or refuses the app */
  describe(workspaceId: WorkspaceId, fileId: string): Promise<ReadyFile | FileProblem>;
  /**
   * Starts a download. Nothing of it is stored, and no more is read than the body's reader takes.
   *
   * @param options.range a single range as in the header, for example `bytes=100-`
   * @throws an error of the connection
   */
  open(
    workspaceId: WorkspaceId,
    file: ReadyFile,
    options: { range: string | undefined; signal: AbortSignal },
  ): Promise<Download>;
};
