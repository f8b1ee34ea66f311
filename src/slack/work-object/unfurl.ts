import type { ChatUnfurlArguments } from '@slack/web-api';
import { pictureOf } from '../card/pictures.ts';
import type { Unfurling } from '../card/send-unfurls.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { buildEntity, METADATA_BYTES_MAX } from './entity.ts';
import { isOfMetadata, metadataWarning, refusalOf } from './work-objects.ts';

/** Ours: Slack writes `&amp;` for `&`, which makes some links very long. In characters. */
const LINK_MAX = 3_000;

/**
 * Shows the cards of a posted message as Work Objects, if the workspace wants that. The composer gets
 * blocks.
 *
 * @param inBlocks shows them as blocks
 * @throws Slack's error if it refuses those, too
 */
export async function unfurlAsWorkObjects(
  deps: Pick<SlackDeps, 'workObjects'>,
  client: SlackClient,
  { workspaceId, settings, target, links }: Unfurling,
  inBlocks: () => Promise<unknown>,
): Promise<void> {
  const isLong = links.some(({ url, postedAs = url }) => postedAs.length > LINK_MAX);
  const isPossible = !('source' in target || isLong);
  const shownAs = isPossible ? await deps.workObjects.of(workspaceId, settings) : undefined;
  if (!shownAs) return void (await inBlocks());
  const { hasGallery } = shownAs;
  const maxBytes = Math.floor(METADATA_BYTES_MAX / links.length);
  const entitiesOf = (withPicture: boolean) =>
    links.map((view) =>
      buildEntity(
        { ...deps.workObjects.canonical(view), withPicture },
        { isLinked: true, hasGallery, maxBytes },
      ),
    );
  const send = (withPicture: boolean) =>
    refusalOfUnfurl(client, { ...target, metadata: { entities: entitiesOf(withPicture) } });
  let refusal = await send(true);
  // Perhaps Slack only couldn't fetch a picture.
  const hasPicture = links.some(({ card }) => pictureOf(card));
  if (refusal !== undefined && isOfMetadata(refusal) && hasPicture) refusal = await send(false);
  if (refusal === undefined) return;
  await inBlocks();
  await deps.workObjects.refused(workspaceId, refusal);
}

/** @returns Slack's code if it refuses */
async function refusalOfUnfurl(
  client: SlackClient,
  call: ChatUnfurlArguments,
): Promise<string | undefined> {
  try {
    return metadataWarning(await client.chat.unfurl(call));
  } catch (error) {
    const code = refusalOf(error);
    if (code === undefined) throw error;
    return code;
  }
}
