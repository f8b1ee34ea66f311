import type { AuthorizeResult, AuthorizeSourceData } from '@slack/bolt';
import type { OrganizationId, OwnerId, WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import type { Tenant } from './tenant.ts';

/** A delivery or job is for a workspace without the app. */
export class NotInstalledError extends Error {
  constructor(ownerId: OwnerId | undefined) {
    super(`the app is not installed in ${ownerId ?? 'an unnamed workspace'}`);
    this.name = 'NotInstalledError';
  }
}

/** What `authorize` returns; Bolt passes it to listeners as `context`. */
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
   * Bolt's `authorize`: finds the client and the workspace. It returns no token, since Bolt would
   * keep a client for every workspace and every renewed token forever.
   *
   * @throws NotInstalledError if the app is not installed there
   */
  authorize(source: AuthorizeSourceData<boolean>, body?: unknown): Promise<Authorized>;
  /**
   * The workspace that an event is for (the organization if none is known); undefined if neither
   * has the app.
   */
  admit(tenant: Tenant): Promise<WorkspaceId | undefined>;
  /** Whether a workspace has the app, according to the database; Slack is not asked. */
  has(workspaceId: WorkspaceId): Promise<boolean>;
  /**
   * Asks Slack whether an installation still exists.
   *
   * @param id a workspace or organization that installed the app itself
   * @param options.isToldGone whether Slack already reported an uninstall; if not, only an answer
   *   that can't mean anything else counts
   * @throws Slack's error if it doesn't answer
   */
  isInstalled(id: OwnerId, options: { isToldGone: boolean }): Promise<boolean>;
  /** Asks Slack whether an organization's installation still includes one of its workspaces. */
  isGranted(workspaceId: WorkspaceId, organizationId: OrganizationId): Promise<boolean>;
  /** Drops everything that is cached about it. */
  forget(id: OwnerId): void;
  isReady(): boolean;
};
