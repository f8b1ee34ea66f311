import { LRUCache } from 'lru-cache';
import { atMost } from '../../at-most.ts';
import type { FileSource } from '../../files/file-source.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { AttachedFile } from '../../requests/attached-files.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { FormFiles } from '../request-form/draft.ts';

/**
 * Whether people of a workspace can attach files: the service must be able to download them, and whoever installed the
 * app may have left out the scope. A form with a file input that the app has no scope for is refused by Slack.
 */
export type FormFilesAccess = {
  /**
   * Remembers the scopes that Slack names with each answer. Slack is asked who somebody is before they see a form, so
   * they are known by then.
   */
  note(workspaceId: WorkspaceId, scopes: readonly string[] | undefined): void;
  /** As far as it is known without asking; undefined if people can't attach files. */
  peek(workspaceId: WorkspaceId): FormFiles | undefined;
  /** The same; asks Slack if it isn't known. */
  of(workspaceId: WorkspaceId): Promise<FormFiles | undefined>;
  /**
   * Those of a message's files that can be attached. Asks Slack about each: the app doesn't see the files of a
   * conversation that it isn't in.
   */
  usable(workspaceId: WorkspaceId, files: readonly AttachedFile[]): Promise<AttachedFile[]>;
};

const FILE_SCOPE = 'files:read';
const MAX_WORKSPACES = 20_000;

/** @param deps both parts about files are undefined if files can't be passed on */
export function createFormFilesAccess(deps: {
  clients: SlackClients;
  formFiles: FormFiles | undefined;
  source: FileSource | undefined;
}): FormFilesAccess {
  const { clients, formFiles, source } = deps;
  const hasScope = new LRUCache<WorkspaceId, boolean>(atMost(MAX_WORKSPACES));

  function note(workspaceId: WorkspaceId, scopes: readonly string[] | undefined): void {
    if (scopes) hasScope.set(workspaceId, scopes.includes(FILE_SCOPE));
  }

  const peek = (workspaceId: WorkspaceId) => (hasScope.get(workspaceId) ? formFiles : undefined);

  return {
    note,
    peek,
    async of(workspaceId) {
      if (!formFiles) return undefined;
      if (!hasScope.has(workspaceId)) {
        const client = await clients.of(workspaceId);
        const answer = await client.auth.test().catch(() => undefined);
        note(workspaceId, answer?.response_metadata?.scopes);
      }
      return peek(workspaceId);
    },
    async usable(workspaceId, files) {
      const described = await Promise.all(
        files.map(({ id }) => source?.describe(workspaceId, id).catch(() => undefined)),
      );
      return files.filter((_file, index) => {
        const one = described[index];
        return one === 'uploading' || typeof one === 'object';
      });
    },
  };
}
