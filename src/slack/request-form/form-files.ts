import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { AttachedFile } from '../../requests/request.ts';
import type { SlackClients } from '../client/slack-client.ts';
import { inTime } from '../surface/replies.ts';
import type { FormLists } from './draft.ts';
import { MAX_FILES } from './file-fields.ts';
import { askForFile, type FileProblem } from './slack-files.ts';

/** A file of a message, as far as it is known. Slack omits nearly everything if the app may not see it. */
export type FileOfMessage = {
  id: string | undefined;
  name: string | undefined;
  link: string | undefined;
  problem?: FileProblem | 'hidden' | undefined;
};

const FILE_SCOPE = 'files:read';
const MAX_WORKSPACES = 20_000;

export type FormFilesAccess = ReturnType<typeof createFormFilesAccess>;

/**
 * Whether people of a workspace can attach files: the service must be able to download them, and whoever installed the
 * app may have left out the scope. A form with a file input that the app has no scope for is refused by Slack.
 *
 * @param deps.formFiles undefined if files can't be passed on
 */
export function createFormFilesAccess(deps: {
  clients: SlackClients;
  formFiles: FormLists['files'];
  now: () => Date;
}) {
  const { clients, formFiles, now } = deps;
  const hasScope = new LRUCache<WorkspaceId, boolean>(atMost(MAX_WORKSPACES));

  /**
   * Remembers the scopes that Slack names with each answer. Slack is asked who somebody is before they see a form, so
   * they are known by then.
   */
  function note(workspaceId: WorkspaceId, scopes: readonly string[] | undefined): void {
    if (scopes) hasScope.set(workspaceId, scopes.includes(FILE_SCOPE));
  }

  /** As far as it is known without asking. */
  const peek = (workspaceId: WorkspaceId) => (hasScope.get(workspaceId) ? formFiles : undefined);

  return {
    note,
    peek,
    /** The same; asks Slack if it isn't known. */
    async of(workspaceId: WorkspaceId): Promise<FormLists['files']> {
      if (!formFiles) return undefined;
      if (!hasScope.has(workspaceId)) {
        const client = await clients.of(workspaceId);
        const answer = await client.auth.test().catch(() => undefined);
        note(workspaceId, answer?.response_metadata?.scopes);
      }
      return peek(workspaceId);
    },
    /**
     * Which of a message's first MAX_FILES files can be attached, and which are left. Asks Slack about each: the app
     * doesn't see the files of a conversation that it isn't in, and Slack names those in a channel shared with another
     * company only when asked.
     */
    async ofMessage(workspaceId: WorkspaceId, files: readonly FileOfMessage[]) {
      const asked = files.slice(0, MAX_FILES).map((file) => {
        const late = { ...file, isUsable: false };
        return inTime(
          ask(workspaceId, file).catch(() => late),
          late,
        );
      });
      const attached: AttachedFile[] = [];
      const left: FileOfMessage[] = [];
      for (const { isUsable, ...file } of await Promise.all(asked)) {
        const { id, name = id } = file;
        if (isUsable && id !== undefined) attached.push({ id, name: name ?? id });
        else left.push(file);
      }
      return { attached, left: [...left, ...files.slice(MAX_FILES)] };
    },
  };

  async function ask(workspaceId: WorkspaceId, given: FileOfMessage) {
    const { id, problem } = given;
    if (id === undefined || problem !== undefined) return { ...given, isUsable: false };
    const client = await clients.of(workspaceId);
    const maxBytes = formFiles?.maxBytes ?? 0;
    const { name, link, file } = await askForFile(client, id, { maxBytes, now });
    return {
      id,
      name: given.name ?? name,
      link: given.link ?? link,
      problem: typeof file === 'string' ? file : undefined,
      isUsable: formFiles !== undefined && (typeof file === 'object' || file === 'uploading'),
    };
  }
}
