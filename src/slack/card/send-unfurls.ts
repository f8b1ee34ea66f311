import type { LinkUnfurls, MessageAttachment } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost, forwardOnly } from '../../clock.ts';
import type { WorkspaceSettings } from '../../installations/settings.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { outcomeOfCall, slackErrorCode, slackRetryAt } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { fitBlocks, plainText } from '../text/blocks.ts';
import { unescapeEntities } from '../text/escape.ts';
import { clip, isBlank, MESSAGE_BLOCKS_MAX, wellFormed } from '../text/limits.ts';
import { buildCardBlocks, showsPicture, withPicturesIfAccepted } from './card-blocks.ts';
import { pictureOf } from './card-files.ts';
import { titleOf } from './card-text.ts';
import type { CardView } from './card-view.ts';
import { buildEntity, METADATA_BYTES_MAX } from './entity.ts';
import { sendWorkObject, type WorkObjects } from './work-objects.ts';

const MAX_WORKSPACES = 10_000;
const MAX_MESSAGES = 10_000;
/** Links that waited for Slack's limit are shown at random times within this, so that they aren't refused together. */
const SPREAD_MS = 10_000;

/** When a workspace's links may be shown again. Slack limits `chat.unfurl` for each workspace separately. */
export function createUnfurlLimit(now: () => Date) {
  const clock = forwardOnly(now);
  const limitedUntil = new LRUCache<WorkspaceId, number>(atMost(MAX_WORKSPACES));
  const leftMs = (workspaceId: WorkspaceId) =>
    (limitedUntil.get(workspaceId) ?? Number.NEGATIVE_INFINITY) - clock();

  return {
    /** Whether posted links are waiting, which come before previews and redrawing. */
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

export type Unfurls = ReturnType<typeof createUnfurls>;

export function createUnfurls(deps: { workObjects: WorkObjects; now: () => Date; log: Log }) {
  const { workObjects, now, log } = deps;
  const limit = createUnfurlLimit(now);

  async function show(
    client: SlackClient,
    { workspaceId, settings, target, links }: LinksToSend,
  ): Promise<void> {
    const asBlocks = () =>
      withPicturesIfAccepted(links.some(showsPicture), (withPicture) => {
        const unfurls = buildUnfurls(links.map((view) => ({ ...view, withPicture })));
        return client.chat.unfurl({ ...target, unfurls });
      });
    const isShort = links.every(({ postedAs = '' }) => postedAs.length <= LINK_MAX);
    if ('source' in target || !isShort) return asBlocks();
    const shownAs = await workObjects.of(workspaceId, settings);
    if (!shownAs) return asBlocks();
    const share = Math.floor(METADATA_BYTES_MAX / links.length);
    await sendWorkObject({
      send(withPicture) {
        const entities = links.map((view) =>
          buildEntity({ ...view, withPicture }, shownAs.hasGallery, share),
        );
        return client.chat.unfurl({ ...target, metadata: { entities } });
      },
      hasPicture: links.some(({ card }) => pictureOf(card)),
      instead: asBlocks,
      refused: (code) => workObjects.refused(workspaceId, code),
    });
  }

  return {
    isLimited: limit.isLimited,
    retryAt: limit.retryAt,

    /** Messages that don't show all their cards yet. After a restart, they may be shown like that once more. */
    incomplete: new LRUCache<string, true>(atMost(MAX_MESSAGES)),

    /**
     * Shows the cards under their links with one `chat.unfurl`, as Work Objects if the workspace wants that, and without
     * pictures if Slack can't fetch them. Repeating it replaces what was shown.
     *
     * @returns false if Slack refuses permanently, which is logged: the link or message is gone, or the
     *   app may not unfurl there
     * @throws RetryLaterError while Slack limits these calls for the workspace; Slack's error if it may
     *   work later
     */
    async send(client: SlackClient, input: LinksToSend): Promise<boolean> {
      const { workspaceId, links } = input;
      if (links.length === 0) return true;
      const limitedUntil = limit.retryAt(workspaceId);
      if (limitedUntil) throw new RetryLaterError(limitedUntil);
      try {
        await show(client, input);
        return true;
      } catch (error) {
        if (outcomeOfCall(error) === 'refused') {
          const code = slackErrorCode(error);
          log.warn({ workspace: workspaceId, code }, 'Slack refused to unfurl a card link');
          return false;
        }
        const until = slackRetryAt(error, now());
        if (!until) throw error;
        limit.limit(workspaceId, until);
        throw new RetryLaterError(limit.retryAt(workspaceId) ?? until, { cause: error });
      }
    },
  };
}

type LinksToSend = {
  workspaceId: WorkspaceId;
  /** The workspace's, if they were just read. */
  settings?: WorkspaceSettings | undefined;
  /** A posted message, or one that is being typed. */
  target: { channel: string; ts: string } | { source: 'composer'; unfurl_id: string };
  links: readonly CardView[];
};

/**
 * Our limit for a link shown as a Work Object, in characters: Slack writes `&amp;` for `&`, which lengthens it. Anyone can
 * post a longer one, and a refusal would turn Work Objects off for their whole workspace.
 */
const LINK_MAX = 3_000;

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
