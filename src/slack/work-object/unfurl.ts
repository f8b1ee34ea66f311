import type { ChatUnfurlArguments } from '@slack/web-api';
import type { CardView } from '../card/card-view.ts';
import { pictureOf } from '../card/pictures.ts';
import type { Unfurling } from '../card/send-unfurls.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { buildEntity, METADATA_BYTES_MAX } from './entity.ts';
import { metadataRefusal, metadataWarning } from './work-objects.ts';

/** Ours: Slack writes `&amp;` for `&`, which makes some links very long. In characters. */
const LINK_MAX = 3_000;

/**
 * Shows the cards of a posted message as Work Objects, if the workspace wants that. A message with a card that can't be
 * shown, and the composer, get blocks.
 *
 * @returns false if nothing was shown, also because Slack refused it: the caller then sends blocks
 * @throws Slack's error if the link or the message is the reason
 */
export async function unfurlAsWorkObjects(
  deps: Pick<SlackDeps, 'workObjects'>,
  client: SlackClient,
  { workspaceId, settings, target, links }: Unfurling,
): Promise<boolean> {
  const views = links.filter((link): link is CardView => 'card' in link);
  const isLong = links.some(({ url, postedAs = url }) => postedAs.length > LINK_MAX);
  if ('source' in target || views.length < links.length || isLong) return false;
  const shownAs = await deps.workObjects.of(workspaceId, settings);
  if (!shownAs) return false;
  const { hasGallery } = shownAs;
  const maxBytes = Math.floor(METADATA_BYTES_MAX / views.length);
  const entitiesOf = (withPicture: boolean) =>
    views.map((view) =>
      buildEntity(
        { ...deps.workObjects.canonical(view), withPicture },
        { isLinked: true, hasGallery, maxBytes },
      ),
    );
  const send = (withPicture: boolean) =>
    refusalOf(client, { ...target, metadata: { entities: entitiesOf(withPicture) } });
  const refusal = (await send(true)) && (await sendAgain());
  if (refusal === undefined) return true;
  await deps.workObjects.refused(workspaceId, refusal);
  return false;

  /** Perhaps Slack only couldn't fetch a picture. */
  async function sendAgain() {
    return views.some(({ card }) => pictureOf(card)) ? send(false) : send(true);
  }
}

/** @returns Slack's code if it doesn't accept the metadata */
async function refusalOf(
  client: SlackClient,
  call: ChatUnfurlArguments,
): Promise<string | undefined> {
  try {
    return metadataWarning(await client.chat.unfurl(call));
  } catch (error) {
    const code = metadataRefusal(error);
    if (code === undefined) throw error;
    return code;
  }
}
