import type { FilesInfoResponse, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { slackErrorCode } from '../client/errors.ts';
import { wellFormed } from '../text/limits.ts';

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

/** Why a file can't be downloaded, permanently. A page is a canvas or a list, which has no content of its own. */
export const LOST_FILE_PROBLEMS = [
  'deleted',
  'forbidden',
  'external',
  'page',
  'too_large',
] as const;
export type LostFileProblem = (typeof LOST_FILE_PROBLEMS)[number];

/** Why a file can't be downloaded. Only `uploading` is temporary. */
export type FileProblem = 'uploading' | LostFileProblem;

type SlackFile = NonNullable<FilesInfoResponse['file']>;

/** Slack's errors about a file (docs.slack.dev/reference/methods/files.info); others are about the app or the call. */
const FILE_ERRORS: Record<string, FileProblem> = {
  file_deleted: 'deleted',
  // Also for files that were not shared with the app.
  file_not_found: 'forbidden',
  access_denied: 'forbidden',
  no_permission: 'forbidden',
  missing_scope: 'forbidden',
  slack_connect_file_link_sharing_blocked: 'forbidden',
};

/** Modes of files without content in Slack (docs.slack.dev/reference/objects/file-object). */
const MODES_WITHOUT_CONTENT: Record<string, FileProblem> = {
  tombstone: 'deleted',
  hidden_by_limit: 'forbidden',
  external: 'external',
};
/** Other modes, such as canvas, quip, list, and post, are pages in Slack, whose download isn't what people see. */
const MODES_WITH_CONTENT = new Set(['', 'hosted', 'snippet', 'email', 'file_access']);
/** How the media types of canvases and lists begin. */
const PAGE_TYPE = 'application/vnd.slack-';

const bytes = z.int().min(0);
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;
const UNKNOWN_TYPE = 'application/octet-stream';
/** How long Slack may process an upload, since it began, in ms: longer than requests wait for it. */
const UPLOAD_MAX_MS = 5 * 60_000;

/**
 * What Slack says about a file; name and link also if it can't be downloaded.
 *
 * @throws Slack's error, if it isn't about the file
 */
export async function askForFile(
  client: WebClient,
  fileId: string,
  options: { maxBytes: number; now: () => Date },
) {
  const unknown = { name: undefined, link: undefined };
  try {
    const { file } = await client.files.info({ file: fileId, limit: 1 });
    if (!file) return { ...unknown, file: 'forbidden' as const };
    return {
      name: file.name || file.title,
      link: file.permalink || file.url_private,
      file: readFile(file, fileId, options),
    };
  } catch (error) {
    const problem = FILE_ERRORS[slackErrorCode(error) ?? ''];
    if (problem) return { ...unknown, file: problem };
    throw error;
  }
}

/** Why a file of this kind can't be passed on, whatever else is known of it. */
export function problemOfKind({
  mode = '',
  is_external,
  mimetype,
}: Pick<SlackFile, 'mode' | 'is_external' | 'mimetype'>): FileProblem | undefined {
  const without = MODES_WITHOUT_CONTENT[mode];
  if (without) return without;
  if (is_external) return 'external';
  const isPage = !MODES_WITH_CONTENT.has(mode) || mimetype?.startsWith(PAGE_TYPE);
  return isPage ? 'page' : undefined;
}

function readFile(
  file: SlackFile,
  id: string,
  { maxBytes, now }: { maxBytes: number; now: () => Date },
): ReadyFile | FileProblem {
  const { file_access: access, url_private_download: url, mimetype, name } = file;
  const { data: size } = bytes.safeParse(file.size);
  const problem = problemOfKind(file);
  if (problem) return problem;
  if (access === 'file_not_found') return 'deleted';
  if (access && access !== 'visible') return 'forbidden';
  const startedAt = (file.created ?? file.timestamp ?? 0) * 1_000;
  // While Slack processes an upload, its address is missing.
  if (!url && Math.abs(now().getTime() - startedAt) < UPLOAD_MAX_MS) return 'uploading';
  if (!url || !URL.canParse(url) || size === undefined) return 'forbidden';
  if (size > maxBytes) return 'too_large';
  return {
    id,
    url,
    bytes: size,
    name: wellFormed(name ?? '').replaceAll(/[\n\t]+/g, ' ') || id,
    type: mimetype && MEDIA_TYPE.test(mimetype) ? mimetype.toLowerCase() : UNKNOWN_TYPE,
    // Snippets can be edited.
    version: `${size}-${file.edit_timestamp ?? file.timestamp ?? file.created ?? 0}`,
  };
}
