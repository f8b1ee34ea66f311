import { RetryLaterError } from '../../jobs/retry-later.ts';
import {
  type DesignRequest,
  FILE_ROLES,
  filesOf,
  type RequestProblem,
} from '../../requests/request.ts';
import { slackRetryAt } from '../client/errors.ts';
import { FILE_FIELDS, FILES, wordsForFile } from '../words/files.ts';
import type { SlackFiles } from './slack-files.ts';

/** How long a request waits for files that Slack is still processing, since it was sent or changed, in ms. */
const UPLOAD_MAX_MS = 2 * 60_000;
const ASK_AGAIN_MS = 3_000;

/**
 * Creates the check that runs right before a request is sent: a file may have been deleted since it was attached, may
 * still be uploading, or may be one that the app can't read or pass on. The author gets the form back, with a message
 * for each such file at its field.
 *
 * @param deps.source undefined if files can't be passed on
 * @param deps.maxBytes of a file
 */
export function createFilesCheck(deps: {
  source: SlackFiles | undefined;
  maxBytes: number;
  now: () => Date;
}): (request: DesignRequest) => Promise<RequestProblem | undefined> {
  const { source, maxBytes, now } = deps;

  return async (request) => {
    if (filesOf(request.form).length === 0) return undefined;
    if (!source) return { code: 'files_unusable', message: FILES.noLongerPassedOn };
    try {
      const details = await describeAll(source, request);
      return Object.keys(details).length > 0 ? { code: 'files_unusable', details } : undefined;
    } catch (error) {
      const retryAt = slackRetryAt(error, now());
      throw retryAt ? new RetryLaterError(retryAt, { cause: error }) : error;
    }
  };

  /** @returns a message for each field with files that can't be used, by its label */
  async function describeAll(
    { describe }: SlackFiles,
    { workspaceId, form, updatedAt }: DesignRequest,
  ): Promise<Record<string, string>> {
    const details: Record<string, string> = {};
    for (const role of FILE_ROLES) {
      const files = form[role] ?? [];
      const described = await Promise.all(files.map(({ id }) => describe(workspaceId, id)));
      const words = described.flatMap((file, index) =>
        typeof file === 'string' ? [wordsForFile(file, files[index]?.name ?? '', maxBytes)] : [],
      );
      if (words.length > 0) details[FILE_FIELDS[role].label] = words.join(' ');
      const isWorthWaiting = now().getTime() < updatedAt.getTime() + UPLOAD_MAX_MS;
      if (described.includes('uploading') && isWorthWaiting) {
        throw new RetryLaterError(new Date(now().getTime() + ASK_AGAIN_MS));
      }
    }
    return details;
  }
}
