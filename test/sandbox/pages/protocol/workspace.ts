import type { ViewState } from '../../../stand-ins/slack/block-kit/view-state.ts';
import type { JsonObject } from '../../../stand-ins/slack/json.ts';

export type PersonShown = {
  id: string;
  name: string;
  /** Their own workspace. */
  workspaceId: string;
  company: string;
  role: 'admin' | 'member' | 'guest' | 'app';
};

export type ConversationShown = {
  id: string;
  /** Of a direct conversation, whom it is with. */
  name: string;
  kind: 'public' | 'private' | 'im' | 'mpim';
  /** In a direct conversation, the other one. */
  withUserId: string | undefined;
  /** Names of the other companies that see it. */
  sharedWith: string[];
  hasApp: boolean;
  readOnly: boolean;
};

export type MessageShown = {
  ts: string;
  /** Only the person sees it. */
  isEphemeral: boolean;
  threadTs: string | undefined;
  userId: string;
  text: string;
  blocks: JsonObject[];
  attachments: JsonObject[];
  edited: boolean;
};

export type ViewShown = {
  id: string;
  hash: string;
  view: JsonObject;
  values: ViewState;
  /** What stands under inputs, by block_id. */
  errors: Record<string, string>;
  /** What Slack itself says in the modal. */
  notice: string | undefined;
  /** Ids of the conversations that a menu offers, by its action_id. */
  offered: Record<string, string[]>;
};

/** Everything that one person sees of their Slack. */
export type WorkspaceSnapshot = {
  appName: string;
  me: string;
  workspaces: { id: string; name: string; hasApp: boolean }[];
  people: PersonShown[];
  conversations: ConversationShown[];
  /** By conversation, oldest first. */
  messages: Record<string, MessageShown[]>;
  /** Modals, the visible one last. */
  views: ViewShown[];
  /** Slash commands that the composer offers. */
  commands: { command: string; description: string; usageHint: string }[];
  /** Attachments under a text that is not sent yet, by unfurl id. */
  previews: Record<string, JsonObject[]>;
};
