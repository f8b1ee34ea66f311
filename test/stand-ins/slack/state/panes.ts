import type { JsonObject } from '../json.ts';

/** For this long, opening the same details again doesn't ask the app. Source: Slack's documentation of Work Objects. */
export const DETAILS_KEPT_MS = 10 * 60_000;

/** Which Work Object a person opened, and where. */
export interface PaneSubject {
  /** The canonical URL of the entity. */
  entityUrl: string;
  /** Missing if it was opened from a search. */
  externalRef: JsonObject | undefined;
  appUnfurlUrl: string | undefined;
  /** Missing outside of messages. */
  place: { channelId: string; ts: string; threadTs: string | undefined } | undefined;
}

/** The details of a Work Object as one person sees them. */
export interface Pane extends PaneSubject {
  workspaceId: string;
  userId: string;
  /** Whether the app has been asked and hasn't answered. */
  waiting: boolean;
  /** When the app last answered, in milliseconds since 1970. */
  answeredAt: number | undefined;
  entity: JsonObject | undefined;
  /** Shown instead of the entity. */
  error: JsonObject | undefined;
  /** The page in its frame, or why Slack doesn't show it. */
  embed: { page: string } | { problem: string } | undefined;
  /** How often its content was drawn. */
  drawn: number;
}

/** Details are cached for each person and Work Object. */
export const paneKey = (pane: Pick<Pane, 'workspaceId' | 'userId' | 'entityUrl'>): string =>
  JSON.stringify([pane.workspaceId, pane.userId, pane.entityUrl]);
