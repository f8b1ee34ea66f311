import type { FileProblem, FileSource } from '../../files/file-source.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import {
  type AttachedFile,
  type DesignRequest,
  FILE_ROLES,
  filesOf,
  type RequestProblem,
} from '../../requests/request.ts';
import { slackRetryAt } from '../client/errors.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';

/** How long a request waits for files that Slack is still processing, since it was sent or changed, in ms. */
const UPLOAD_MAX_MS = 2 * 60_000;
const ASK_AGAIN_MS = 3_000;

/**
 * Creates the check that runs right before a request is sent: a file may have been deleted since it was attached, may
 * still be uploading, or may be one that the app can't read or pass on. The author gets the form back, with a message
 * for each such file at its field.
 *
 * @param deps.maxBytes of a file
 */
export function createFilesCheck(deps: {
  /** Undefined if files can't be passed on. */
  source: FileSource | undefined;
  maxBytes: number;
  now: () => Date;
}): (request: DesignRequest) => Promise<RequestProblem | undefined> {
  const { source, maxBytes, now } = deps;

  async function problemOf(
    { workspaceId }: DesignRequest,
    { id }: AttachedFile,
  ): Promise<FileProblem | undefined> {
    const described = await source?.describe(workspaceId, id);
    return typeof described === 'string' ? described : undefined;
  }

  /** @returns a message for each field with files that can't be used, by its label */
  async function describeAll(request: DesignRequest): Promise<Record<string, string>> {
    const details: Record<string, string> = {};
    const isWorthWaiting = now().getTime() < request.updatedAt.getTime() + UPLOAD_MAX_MS;
    for (const role of FILE_ROLES) {
      const files = request.form[role] ?? [];
      const problems = await Promise.all(files.map((file) => problemOf(request, file)));
      if (problems.includes('uploading') && isWorthWaiting) {
        throw new RetryLaterError(new Date(now().getTime() + ASK_AGAIN_MS));
      }
      const words = problems.flatMap((problem, index) =>
        problem ? [wordsForFile(problem, files[index]?.name ?? '', maxBytes)] : [],
      );
      if (words.length > 0) details[FILE_FIELDS[role].label] = words.join(' ');
    }
    return details;
  }

  return async (request) => {
    if (filesOf(request.form).length === 0) return undefined;
    if (!source) return { code: 'files_unusable', message: FILES.noLongerPassedOn };
    try {
      const details = await describeAll(request);
      return Object.keys(details).length > 0 ? { code: 'files_unusable', details } : undefined;
    } catch (error) {
      const retryAt = slackRetryAt(error, now());
      throw retryAt ? new RetryLaterError(retryAt, { cause: error }) : error;
    }
  };
}
