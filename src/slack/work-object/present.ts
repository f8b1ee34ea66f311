import type { ExternalRef } from '@slack/types';
import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { isExternal } from '../card/external-channel.ts';
import type { RefreshValue } from '../card/menu.ts';
import { typedCardId } from '../card/typed-card-id.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { type AllowedUser, actorOf } from '../listener/access.ts';
import { type ActionArgs, type DetailsArgs, stringOf, workspaceOf } from '../listener/replies.ts';
import { unescapeEntities } from '../text/escape.ts';
import { type Details, type DetailsDeps, detailsFor } from './details.ts';
import { detailsError } from './details-error.ts';
import { cardIdIn } from './external-ref.ts';
import { isOfMetadata, refusalOf } from './work-objects.ts';

type PresentDeps = DetailsDeps & Pick<SlackDeps, 'workObjects' | 'conversations'>;

/** Someone opened a card's details, or pressed the pane's own refresh button. Slack doesn't say which. */
export async function onDetailsRequested(
  deps: PresentDeps,
  { event, body, client, context }: DetailsArgs,
): Promise<void> {
  const workspaceId = workspaceOf(context);
  const actor = { client, workspaceId, userId: event.user };
  const details = await detailsFor(deps, actor, {
    cardId: cardIdOf(deps, event),
    asked: { url: event.entity_url, reference: event.external_ref },
    isExternal: body.is_ext_shared_channel === true,
  });
  await present(deps, client, { workspaceId, triggerId: event.trigger_id, details });
}

/** Refresh in the pane. */
export async function refreshDetails(
  deps: PresentDeps,
  args: ActionArgs,
  { workspaceId }: AllowedUser,
  { cardId, isExternal: wasExternal }: RefreshValue,
): Promise<void> {
  const { body, client } = args;
  const channel = stringOf(body.container.channel_id);
  const entityUrl = stringOf(body.container.entity_url) ?? deps.cardLinks.urlOf(cardId);
  const { shareExternally } = await deps.settings.get(workspaceId);
  const isShared =
    shareExternally || channel === undefined
      ? wasExternal
      : await isExternal(deps, client, { workspaceId, channel, wasExternal });
  const details = await detailsFor(deps, actorOf(args), {
    cardId,
    asked: { url: entityUrl, reference: referenceIn(body.container.external_ref) },
    isExternal: isShared === true,
  });
  await present(deps, client, { workspaceId, triggerId: body.trigger_id, details });
}

const reference = z.object({ id: z.string(), type: z.string().optional() });

/** Slack doesn't type the container of an action. */
const referenceIn = (given: unknown): ExternalRef | undefined => {
  const { data } = reference.safeParse(given);
  return data && { id: data.id, ...(data.type === undefined ? {} : { type: data.type }) };
};

/** The card, by its URL. The reference is missing if it was opened from Slack's search. */
function cardIdOf(
  { cardLinks }: Pick<SlackDeps, 'cardLinks'>,
  event: DetailsArgs['event'],
): string | undefined {
  const cardId = cardLinks.cardIdOf(unescapeEntities(event.entity_url));
  return cardId ?? typedCardId(cardIdIn(event.external_ref) ?? '', cardLinks);
}

/**
 * Presents what the pane shows. After a refusal, the rest works only if Slack still accepts the trigger; otherwise it
 * shows an error of its own, and the person can press again.
 *
 * @returns whether Slack accepted something
 */
async function present(
  deps: PresentDeps,
  client: SlackClient,
  answer: { workspaceId: WorkspaceId; triggerId: string; details: Details },
): Promise<boolean> {
  const { workspaceId, triggerId, details } = answer;
  const { withoutPictures, ...shown } = { withoutPictures: undefined, ...details };
  try {
    await client.entity.presentDetails({ trigger_id: triggerId, ...shown });
    return true;
  } catch (error) {
    const refusal = refusalOf(error);
    deps.log.warn(
      { workspace: workspaceId, code: refusal ?? slackErrorCode(error), err: error },
      'could not present the details of a card',
    );
    // Without a card, nothing simpler is left to show.
    if (refusal === undefined || 'error' in details) return false;
    // Perhaps Slack only couldn't fetch a picture.
    const simpler = isOfMetadata(refusal) ? withoutPictures : undefined;
    const instead = simpler ? { metadata: simpler } : detailsError('notShown', undefined);
    const isPresented = await present(deps, client, { workspaceId, triggerId, details: instead });
    if (isPresented && !simpler) await deps.workObjects.refused(workspaceId, refusal);
    return isPresented;
  }
}
