import type { EntityMetadata, KnownBlock, LinkUnfurls, MessageAttachment } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost, forwardOnly } from '../../clock.ts';
import type { WorkspaceSettings, WorkspaceSettingsStore } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import type { Thread } from '../../store/watches.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import {
  type Message,
  sendRichest,
  updateMessage,
  withPicturesOrNot,
} from '../client/post-message.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { fitBlocks, plainText } from '../text/blocks.ts';
import { unescapeEntities } from '../text/escape.ts';
import { clip, isBlank, MESSAGE_BLOCKS_MAX, wellFormed } from '../text/limits.ts';
import { buildCardBlocks, buildCardMessage, showsPicture } from './card-blocks.ts';
import { titleOf } from './card-text.ts';
import type { CardFacts, CardView } from './card-view.ts';
import { buildEntity, METADATA_BYTES_MAX } from './entity.ts';
import type { GalleryLinks } from './gallery.ts';
import { type CardDisplay, sharedBy } from './menu.ts';

const MAX_WORKSPACES = 10_000;
/** Links that waited for Slack's limit are shown within this many ms, at random times, so none are refused together. */
const SPREAD_MS = 10_000;

/** When a workspace's links may be shown again. Slack limits `chat.unfurl` for each workspace separately. */
export function createUnfurlLimit(now: () => Date) {
  const clock = forwardOnly(now);
  const limitedUntil = new LRUCache<WorkspaceId, number>(atMost(MAX_WORKSPACES));
  const leftMs = (workspaceId: WorkspaceId) =>
    (limitedUntil.get(workspaceId) ?? Number.NEGATIVE_INFINITY) - clock();

  return {
    /** Whether posted links still wait for Slack. They go first, before previews and redrawing. */
    isLimited: (workspaceId: WorkspaceId) => leftMs(workspaceId) > -SPREAD_MS,

    /** When to show a posted link; undefined if it may be shown now. */
    retryAt(workspaceId: WorkspaceId): Date | undefined {
      const left = leftMs(workspaceId);
      if (left <= 0) return undefined;
      return new Date(now().getTime() + left + Math.random() * SPREAD_MS);
    },

    /** @param until as Slack's 429 says */
    limit(workspaceId: WorkspaceId, until: Date): void {
      const left = until.getTime() - now().getTime();
      if (left > leftMs(workspaceId)) limitedUntil.set(workspaceId, clock() + left);
    },
  };
}

type LinksToShow = {
  workspaceId: WorkspaceId;
  /** Undefined unless the caller has just read them. */
  settings?: WorkspaceSettings | undefined;
  /** A posted message, or one that is being typed. */
  target: { channel: string; ts: string } | { source: 'composer'; unfurl_id: string };
  links: readonly CardView[];
};
type Shown = Pick<LinksToShow, 'workspaceId' | 'settings'> & { links?: readonly CardView[] };

/**
 * Our limit for the link of a Work Object, in characters, after Slack has written `&` as `&amp;`.
 * Anyone can post a longer one, and a refusal would turn Work Objects off for their workspace.
 */
const LINK_MAX = 3_000;
const needsBlocks = ({ detail, postedAs = '' }: CardView) =>
  detail === 'title' || postedAs.length > LINK_MAX;
/** After this time, Work Objects are tried again. */
const TRY_AGAIN_AFTER_MS = 24 * 60 * 60_000;

export type CardMessages = ReturnType<typeof createCardMessages>;

/** Shows cards as Work Objects if the workspace wants and Slack accepts them, or else as blocks. */
export function createCardMessages(deps: {
  settings: Pick<WorkspaceSettingsStore, 'get' | 'workObjectsRefused' | 'workObjectsRefusedAt'>;
  /** Undefined if the app has no address on the internet. */
  gallery: GalleryLinks | undefined;
  now: () => Date;
  log: Log;
}) {
  const { settings, gallery, now, log } = deps;
  const { isLimited, retryAt, limit } = createUnfurlLimit(now);

  const showsGallery = ({ workObjects }: WorkspaceSettings) =>
    workObjects === 'gallery' && gallery !== undefined;

  /** Undefined if an admin hasn't turned Work Objects on, Slack refused one in the last day, or a link needs blocks. */
  async function workObjectsOf({ workspaceId, links = [], settings: justRead }: Shown) {
    if (links.some(needsBlocks)) return undefined;
    const set = justRead ?? (await settings.get(workspaceId));
    if (set.workObjects === 'off') return undefined;
    const refusedAt = await settings.workObjectsRefusedAt(workspaceId);
    const refusedAgo = now().getTime() - (refusedAt?.getTime() ?? Number.NEGATIVE_INFINITY);
    return refusedAgo < TRY_AGAIN_AFTER_MS ? undefined : { hasGallery: showsGallery(set) };
  }

  /** Remembers that Slack refused a Work Object. Never rejects. */
  async function workObjectRefused(workspaceId: WorkspaceId, code: string): Promise<void> {
    log.warn(
      { workspace: workspaceId, code },
      'Slack refused a Work Object, so cards are shown as blocks for a day; are Work Object Previews turned on in the Slack app’s settings?',
    );
    await settings
      .workObjectsRefused(workspaceId, now())
      .catch((error) =>
        log.warn({ err: error }, 'could not store that Slack refused a Work Object'),
      );
  }

  /** Undefined if the workspace doesn't want it. Without `blocks` above it, those of the message stay, or its text is shown. */
  async function workObjectOf(
    workspaceId: WorkspaceId,
    view: CardView,
    blocks: KnownBlock[] | undefined,
  ): Promise<Message['workObject']> {
    const shownAs = await workObjectsOf({ workspaceId });
    if (!shownAs) return undefined;
    return {
      contents: withPicturesOrNot(showsPicture(view), (withPicture) => ({
        ...(blocks ? { blocks } : {}),
        metadata: { entities: [buildEntity({ ...view, withPicture }, shownAs.hasGallery)] },
      })),
      refused: (code) => workObjectRefused(workspaceId, code),
      leftOut(error) {
        log.warn(
          { workspace: workspaceId, code: slackErrorCode(error), err: error },
          'a message stays without its card: Slack left out its Work Object, and changing it failed',
        );
      },
    };
  }

  async function messageWith(workspaceId: WorkspaceId, facts: CardFacts, below?: KnownBlock[]) {
    const view = { ...facts, detail: 'small' as const };
    const workObject = await workObjectOf(workspaceId, view, below);
    return { ...buildCardMessage(view, below), workObject };
  }

  /**
   * Repeating it replaces what was shown. Returns false if Slack refuses permanently, which is logged: the link or
   * message is gone, or the app may not unfurl there.
   *
   * @throws RetryLaterError while Slack limits this; Slack's error if it may work later
   */
  async function unfurl(client: SlackClient, toShow: LinksToShow): Promise<boolean> {
    const { workspaceId, target, links } = toShow;
    if (links.length === 0) return true;
    const limitedUntil = retryAt(workspaceId);
    if (limitedUntil) throw new RetryLaterError(limitedUntil);
    const bytes = Math.floor(METADATA_BYTES_MAX / links.length);
    const ways = <Content>(build: (views: CardView[]) => Content) =>
      withPicturesOrNot(links.some(showsPicture), (withPicture) =>
        build(links.map((view) => ({ ...view, withPicture }))),
      );
    try {
      const shownAs = await workObjectsOf(toShow);
      const entitiesOf = (views: CardView[]) =>
        views.map((view) => buildEntity(view, shownAs?.hasGallery === true, bytes));
      await sendRichest<{ unfurls: LinkUnfurls } | { metadata: { entities: EntityMetadata[] } }>(
        {
          workObject: shownAs && {
            contents: ways((views) => ({ metadata: { entities: entitiesOf(views) } })),
            refused: (code) => workObjectRefused(workspaceId, code),
          },
          blocks: ways((views) => ({ unfurls: buildUnfurls(views) })),
        },
        (content) => client.chat.unfurl({ ...target, ...content }),
      );
      return true;
    } catch (error) {
      if (outcomeOfCall(error) === 'refused') {
        const code = slackErrorCode(error);
        log.warn({ workspace: workspaceId, code }, 'Slack refused to unfurl a card link');
        return false;
      }
      const until = slackRetryAt(error, now());
      if (!until) throw error;
      limit(workspaceId, until);
      throw new RetryLaterError(retryAt(workspaceId) ?? until, { cause: error });
    }
  }

  return {
    isLimited,
    retryAt,
    unfurl,
    messageWith,
    workObjectOf,
    workObjectRefused,

    /**
     * @param text what notifications show of the message; undefined for the card's title and status
     * @returns false if Slack refuses to change the message
     * @throws RetryLaterError while Slack limits previews; Slack's error if it may work later
     */
    async redraw(
      client: SlackClient,
      { workspaceId, channel, ts }: Thread & { workspaceId: WorkspaceId },
      facts: CardFacts,
      shown: CardDisplay,
      text?: string,
    ): Promise<boolean> {
      const target = { channel, ts };
      if (shown.kind === 'preview') {
        const { detail, isExternal, others = [], ...first } = shown;
        const links = [first, ...others].map(({ postedAs, moreLinks }) => ({
          ...facts,
          postedAs,
          moreLinks,
          detail,
          isExternal,
        }));
        return unfurl(client, { workspaceId, target, links });
      }
      const below = shown.kind === 'shared' ? sharedBy(shown.by) : undefined;
      const message = await messageWith(workspaceId, facts, below);
      // Without a Work Object, there is nothing to update.
      if (!below && !message.workObject) return true;
      try {
        await updateMessage(client, target, { ...message, text: text ?? message.text });
        return true;
      } catch (error) {
        if (outcomeOfCall(error) !== 'refused') throw error;
        return false;
      }
    },

    galleryUrl: async (ref: { workspaceId: WorkspaceId; cardId: string }) =>
      showsGallery(await settings.get(ref.workspaceId)) ? gallery?.urlOf(ref) : undefined,
  };
}

const SUBTITLE_CHARS = 100;

/** The attachments of one message by link, with the status's color on the bar. */
export function buildUnfurls(links: readonly CardView[]): LinkUnfurls {
  const share = Math.floor(MESSAGE_BLOCKS_MAX / links.length);
  return Object.fromEntries(
    links.map((view) => {
      const { postedAs = view.url } = view;
      // The title leads where the link does.
      const unfurl = buildUnfurl({ ...view, url: unescapeEntities(postedAs) }, share);
      return [postedAs, unfurl];
    }),
  );
}

/** @param most how much of the message its blocks may take, see `fitBlocks` */
function buildUnfurl(view: CardView, most: number): MessageAttachment {
  const { color, name = '' } = view.card.status ?? {};
  const blocks = fitBlocks(buildCardBlocks(view), most);
  const unfurl = color ? { color, blocks } : { blocks };
  if (view.detail !== 'title') return unfurl;
  const status = clip(wellFormed(name), SUBTITLE_CHARS);
  const title = plainText(titleOf(view.card));
  const preview = isBlank(status) ? { title } : { title, subtitle: plainText(status) };
  return { ...unfurl, preview };
}
