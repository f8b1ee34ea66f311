import { sendEvent } from '../events.ts';
import { asObject, asText, type JsonObject } from '../json.ts';
import { isIn, isShared, linksIn } from '../state/conversations.ts';
import {
  DETAILS_KEPT_MS,
  type Message,
  type Pane,
  type PaneSubject,
  paneKey,
  type ShownEntity,
} from '../state/model.ts';
import { channelOf, type WorkspaceRecord, workspaceOf } from '../state/state.ts';
import { issueTrigger } from '../state/triggers.ts';
import type { Actor } from './actor.ts';

/** A Work Object in a message, or one that Slack's search found: then only its URL is known. */
export type DetailsOf = { message: Message; entity?: ShownEntity } | { foundUrl: string };

/**
 * Opens the details of a Work Object in the pane. The app is asked unless it was asked in the last ten minutes; the
 * event is sent in the background (`slack.idle()` waits). Source: docs.slack.dev/messaging/work-objects-implementation.
 */
export function openDetails(actor: Actor, of: DetailsOf): Pane {
  const { state, user } = actor;
  const { subject, workspace } = subjectOf(actor, of);
  const about = { ...subject, workspaceId: workspace.id, userId: user.id };
  const key = paneKey(about);
  const pane: Pane = state.panes.get(key) ?? {
    ...about,
    waiting: false,
    answeredAt: undefined,
    entity: undefined,
    error: undefined,
    embed: undefined,
    drawn: 0,
  };
  Object.assign(pane, about);
  state.panes.set(key, pane);
  state.openPanes.set(user.id, pane);
  state.feed.emit();
  const now = state.clock().getTime();
  const isKept = pane.answeredAt !== undefined && now - pane.answeredAt < DETAILS_KEPT_MS;
  if (!isKept) askForDetails(actor, pane);
  return pane;
}

export function closeDetails({ state, user }: Actor): void {
  state.openPanes.delete(user.id);
  state.feed.emit();
}

export function askForDetails(actor: Actor, pane: Pane): void {
  const { state, user } = actor;
  const workspace = workspaceOf(state, pane.workspaceId);
  const { place, entityUrl, externalRef, appUnfurlUrl } = pane;
  pane.waiting = true;
  const url = appUnfurlUrl ?? entityUrl;
  const [link] = linksIn(url.replaceAll('&amp;', '&'), state.manifest.unfurlDomains);
  const event = {
    type: 'entity_details_requested',
    user: user.id,
    trigger_id: issueTrigger({ state, workspace, user }, place?.channelId, pane),
    entity_url: entityUrl,
    link: link ?? { url, domain: URL.parse(url)?.hostname ?? '' },
    ...(externalRef ? { external_ref: externalRef } : {}),
    ...(appUnfurlUrl ? { app_unfurl_url: appUnfurlUrl } : {}),
    ...(place ? { channel: place.channelId, message_ts: place.ts } : {}),
    ...(place?.threadTs ? { thread_ts: place.threadTs } : {}),
    event_ts: state.ids.ts(),
  };
  const isExtSharedChannel = place ? isShared(channelOf(state, place.channelId)) : false;
  state.feed.emit();
  sendEvent(actor, workspace, event, { teamId: user.teamId, isExtSharedChannel });
}

function subjectOf(
  actor: Actor,
  of: DetailsOf,
): { subject: PaneSubject; workspace: WorkspaceRecord } {
  if ('foundUrl' in of) {
    const none = { externalRef: undefined, appUnfurlUrl: undefined, place: undefined };
    return { subject: { entityUrl: of.foundUrl, ...none }, workspace: actor.workspace };
  }
  const { message } = of;
  const shown = of.entity ?? message.entities[0];
  if (!shown) throw new Error('The message has no Work Object');
  return {
    subject: subjectIn(shown, message),
    workspace: ownerOf(actor, message, shown.botId),
  };
}

export const subjectIn = (
  { entity, appUnfurlUrl }: ShownEntity,
  { channelId, ts, threadTs }: Message,
): PaneSubject => ({
  entityUrl: asText(entity.url),
  externalRef: asObject(entity.external_ref),
  appUnfurlUrl,
  place: { channelId, ts, threadTs },
});

/** The workspace whose installation sent something in a message: in shared channels perhaps not the person's. */
export function ownerOf(
  { state, workspace }: Actor,
  { channelId }: Message,
  botId: string,
): WorkspaceRecord {
  const channel = channelOf(state, channelId);
  const isOwner = (one: WorkspaceRecord) => one.botId === botId && isIn(channel, one.id);
  return [...state.workspaces.values()].find(isOwner) ?? workspace;
}

/** The payload's `container` for an action in a Work Object. Source: docs.slack.dev/messaging/work-objects-implementation. */
export function entityContainer(
  type: 'message_attachment' | 'entity_detail',
  { entityUrl, externalRef, appUnfurlUrl, place }: PaneSubject,
): JsonObject {
  return {
    type,
    entity_url: entityUrl,
    ...(externalRef ? { external_ref: externalRef } : {}),
    ...(appUnfurlUrl ? { app_unfurl_url: appUnfurlUrl } : {}),
    ...(place ? { message_ts: place.ts, channel_id: place.channelId } : {}),
    ...(place?.threadTs ? { thread_ts: place.threadTs } : {}),
    is_app_unfurl: appUnfurlUrl !== undefined,
  };
}
