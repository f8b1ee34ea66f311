import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import type { OrganisationId, OwnerId, WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Tenant } from './tenant.ts';

/** The app is not installed where something is meant for. */
export class NotInstalledError extends Error {
  constructor(ownerId: OwnerId | undefined) {
    super(`the app is not installed in ${ownerId ?? 'a workspace that is not named'}`);
    this.name = 'NotInstalledError';
  }
}

/** What `authorize` finds out; Bolt passes it on to listeners as their `context`. */
type Authorized = AuthorizeResult & { client: SlackClient; teamId: WorkspaceId };

/** The app's own bot, by which Bolt recognizes and ignores its messages. */
export function botOf(bot: {
  botId: string | undefined;
  botUserId: string | undefined;
}): Pick<AuthorizeResult, 'botId' | 'botUserId'> {
  const { botId, botUserId } = bot;
  return {
    ...(botId !== undefined && { botId }),
    ...(botUserId !== undefined && { botUserId }),
  };
}

/** The workspaces that this app serves: the one of a bot token, or all that installed it. */
export type Workspaces = SlackClients & {
  /**
   * Bolt's `authorize`: with which client the app acts, and in which workspace. Bolt gets no token, since
   * it would keep a client of its own for every workspace and every renewed token, and drop none.
   *
   * @throws NotInstalledError where it has none
   */
  authorize(source: AuthorizeSourceData<boolean>, body?: unknown): Promise<Authorized>;
  /**
   * The workspace in which an event counts, or the organization if none is known; undefined
   * where the app is in neither.
   */
  admit(tenant: Tenant): Promise<WorkspaceId | undefined>;
  /** Whether work may be done for a workspace, as far as this database knows; Slack is not asked. */
  has(workspaceId: WorkspaceId): Promise<boolean>;
  /**
   * Asks Slack whether an install holds at this moment.
   *
   * @param id a workspace or organisation that installed the app itself
   * @param options.isToldGone whether Slack has said that it does not; where not, only an answer that
   *   can mean nothing else counts
   * @throws Slack's error where it does not say
   */
  isInstalled(id: OwnerId, options: { isToldGone: boolean }): Promise<boolean>;
  /** Asks Slack whether an organisation's install holds for one of its workspaces at this moment. */
  isGranted(workspaceId: WorkspaceId, organisationId: OrganisationId): Promise<boolean>;
  /** What is remembered of it is not used any more. */
  forget(id: OwnerId): void;
  isReady(): boolean;
};
