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
  /** In a direct conversation, whom it is with. */
  name: string;
  kind: 'public' | 'private' | 'im' | 'mpim';
  /** In a direct conversation, the other person. */
  withUserId: string | undefined;
  /** Names of the other companies in it. */
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
  /** The names of its files. */
  files: string[];
  /** Work Objects, as the app sent them. */
  entities: JsonObject[];
  edited: boolean;
};

/** The details of a Work Object, as the person sees them. */
export type PaneShown = {
  entityUrl: string;
  waiting: boolean;
  entity: JsonObject | undefined;
  error: JsonObject | undefined;
  embed: { page: string } | { problem: string } | undefined;
};

export type ViewShown = {
  id: string;
  hash: string;
  view: JsonObject;
  values: ViewState;
  /** Errors under inputs, by block_id. */
  errors: Record<string, string>;
  /** Slack's own message in the modal. */
  notice: string | undefined;
  /** IDs of the conversations in a menu, by its action_id. */
  offered: Record<string, string[]>;
};

/** A run of a workflow with the app's step. */
export type WorkflowRun = {
  id: string;
  title: string;
  state: 'running' | 'completed' | 'failed';
  /** The card's URL; empty until there is one. */
  cardUrl: string;
  /** Why it failed; empty otherwise. */
  error: string;
};

/** Everything one person sees of their Slack. */
export type WorkspaceSnapshot = {
  appName: string;
  me: string;
  workspaces: { id: string; name: string; hasApp: boolean }[];
  people: PersonShown[];
  conversations: ConversationShown[];
  /** By conversation, oldest first. */
  messages: Record<string, MessageShown[]>;
  /** The details that are open next to the conversation. */
  pane: PaneShown | undefined;
  /** Open modals, the visible one last. */
  views: ViewShown[];
  /** The app's Home tab; without a view, the app has published none yet. Undefined if the app has no such tab. */
  home: { view: ViewShown | undefined } | undefined;
  /** What starts in the menu of a message, or anywhere. */
  shortcuts: { name: string; type: 'message' | 'global' }[];
  /** Slash commands that the composer suggests. */
  commands: { command: string; description: string; usageHint: string }[];
  /** Newest first; undefined if the app has no step, or isn't installed. */
  workflowRuns: WorkflowRun[] | undefined;
  /** Attachments under a message that isn't sent yet, by unfurl ID. */
  previews: Record<string, JsonObject[]>;
};
