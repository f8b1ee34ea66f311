import { validateUnfurl } from '../block-kit/validate.ts';
import { asObject, asText, isObject, type JsonObject } from '../json.ts';
import { refuse, refuseProblems } from '../refusal.ts';
import { isIn, linksIn, messageAt } from '../state/conversations.ts';
import type { ShownEntity } from '../state/model.ts';
import { withIds } from '../views/elements.ts';
import { entitiesIn, problemsOfMetadata, shownEntity } from '../work-objects/entity.ts';
import { modifiedAt } from './entity.ts';
import { refuseBrokenImages, refuseLongBlocks } from './message-content.ts';
import { type BotCall, jsonArgument } from './method.ts';

interface Target {
  links: string[];
  place: { attachments: JsonObject[]; entities: ShownEntity[] };
}

function postedTarget({ state, workspace }: BotCall, channelId: string, ts: string): Target {
  const channel = state.channels.get(channelId);
  // Whether the bot is a member or not.
  if (!channel || !isIn(channel, workspace.id)) return refuse('cannot_find_channel');
  const message = messageAt(state, channelId, ts);
  if (!message) return refuse('cannot_find_message');
  const links = linksIn(message.text, state.manifest.unfurlDomains).map(({ url }) => url);
  return { links, place: message };
}

/** Slack knows posted messages by their unfurl_id, too. The app names their channel and time. */
function composedTarget({ state, workspace, args }: BotCall, unfurlId: string): Target {
  if (args.source !== 'composer') return refuse('missing_source');
  const preview = state.previews.get(unfurlId);
  if (preview?.workspaceId !== workspace.id) return refuse('cannot_unfurl_message');
  return { links: preview.links, place: preview };
}

function targetOf(call: BotCall): Target {
  const { args } = call;
  const channelId = asText(args.channel);
  const ts = asText(args.ts);
  const unfurlId = asText(args.unfurl_id);
  if (unfurlId && !channelId) return composedTarget(call, unfurlId);
  if (!channelId) return refuse(args.source ? 'missing_unfurl_id' : 'missing_channel');
  if (!ts) return refuse('missing_ts');
  return postedTarget(call, channelId, ts);
}

function checkAttachment(call: BotCall, url: string, attachment: JsonObject): void {
  const under = `/unfurls/${url.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const problems = validateUnfurl(attachment);
  const told = problems.map(({ message, pointer }) => ({ message, pointer: under + pointer }));
  refuseProblems('invalid_blocks', told);
  refuseBrokenImages(call.state, attachment.blocks, under);
}

function asUnfurl(call: BotCall, url: string, attachment: JsonObject, id: number): JsonObject {
  const { state, workspace } = call;
  const { blocks } = attachment;
  return {
    ...attachment,
    ...(blocks === undefined ? {} : { blocks: withIds(blocks, state.ids) }),
    id,
    app_unfurl_url: url,
    from_url: url,
    is_app_unfurl: true,
    app_id: state.app.id,
    bot_id: workspace.botId,
  };
}

/**
 * Attaches previews to links: attachments, or Work Objects. A repeated call changes what is under the same link
 * instead of adding more. Refuses a URL that isn't in that message (`cannot_unfurl_url`), and what a preview may not
 * contain (`invalid_blocks`, `error_processing_metadata`).
 */
export function unfurl(call: BotCall): JsonObject {
  const metadata = jsonArgument(call.args, 'metadata', 'error_processing_metadata');
  const target = () => targetOf(call);
  if (metadata !== undefined && call.args.unfurls === undefined) {
    return unfurlEntities(call, target(), metadata);
  }
  // The types allow either; what both would show isn't documented.
  if (metadata !== undefined) return refuse('invalid_arguments');
  const unfurls = jsonArgument(call.args, 'unfurls', 'invalid_unfurls_format');
  if (unfurls === undefined) return refuse('missing_unfurls');
  if (!isObject(unfurls)) return refuse('invalid_unfurls_format');
  return unfurlAttachments(call, target(), unfurls);
}

function unfurlAttachments(call: BotCall, target: Target, unfurls: JsonObject): JsonObject {
  refuseLongBlocks(Object.values(unfurls).map((one) => asObject(one).blocks));
  const attachments = [...target.place.attachments];
  for (const [url, attachment] of Object.entries(unfurls)) {
    if (!target.links.includes(url)) return refuse('cannot_unfurl_url');
    if (!isObject(attachment)) return refuse('cannot_parse_attachment');
    checkAttachment(call, url, attachment);
    const at = attachments.findIndex((existing) => existing.app_unfurl_url === url);
    const index = at < 0 ? attachments.length : at;
    attachments[index] = asUnfurl(call, url, attachment, index + 1);
  }
  const isLeft = ({ appUnfurlUrl = '' }: ShownEntity) => !Object.hasOwn(unfurls, appUnfurlUrl);
  return put(call, target, { attachments, entities: target.place.entities.filter(isLeft) });
}

function put({ state }: BotCall, { place }: Target, shown: Target['place']): JsonObject {
  Object.assign(place, shown);
  state.feed.emit();
  return {};
}

/** Slack doesn't document what becomes of an attachment under the same link; here it is replaced. */
function unfurlEntities(call: BotCall, target: Target, metadata: unknown): JsonObject {
  const { state, workspace } = call;
  refuseProblems('error_processing_metadata', problemsOfMetadata(state, metadata, 'unfurl'));
  const entities = [...target.place.entities];
  for (const given of entitiesIn(metadata) ?? []) {
    const shown = shownEntity(given, workspace.botId);
    if (!target.links.includes(shown.appUnfurlUrl ?? '')) return refuse('cannot_unfurl_url');
    const at = entities.findIndex(({ appUnfurlUrl }) => appUnfurlUrl === shown.appUnfurlUrl);
    const before = entities[at];
    // Slack draws what it has until the metadata says that it is newer.
    if (!before) entities.push(shown);
    else if (modifiedAt(shown.entity) > modifiedAt(before.entity)) entities[at] = shown;
  }
  const urls = new Set<unknown>(entities.map(({ appUnfurlUrl }) => appUnfurlUrl));
  const isLeft = ({ app_unfurl_url: url }: JsonObject) => !urls.has(url);
  return put(call, target, { attachments: target.place.attachments.filter(isLeft), entities });
}
