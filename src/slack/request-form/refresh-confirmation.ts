import { type RefreshDeps, readAgain, refuseRefresh } from '../card/refresh.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import { type ActionArgs, pressedValue, replyPrivately } from '../listener/replies.ts';
import { NOTICES } from '../words/request-form.ts';
import { confirmationOf } from '../work-object/confirmation.ts';
import { updateWithCard } from '../work-object/messages.ts';
import { whyElsewhere } from './post-confirmation.ts';

/** Reads the card of a confirmation again and updates the message. */
export async function onRefreshConfirmation(
  deps: RefreshDeps & Pick<SlackDeps, 'requests' | 'conversations'>,
  args: ActionArgs,
  { workspaceId }: AllowedUser,
): Promise<void> {
  const { action } = args;
  const id = pressedValue(action) ?? '';
  const request = await deps.requests.get(workspaceId, id);
  if (request?.cardId === undefined) return replyPrivately(args, NOTICES.requestDeleted);
  const { shareExternally } = await deps.settings.get(workspaceId);
  const refusal = shareExternally ? undefined : await refuseRefresh(deps, args);
  if (refusal) return replyPrivately(args, refusal);

  const reading = await readAgain(deps, args, { workspaceId, cardId: request.cardId });
  if ('why' in reading) return replyPrivately(args, reading.why);
  const build = await confirmationOf(deps, request, reading.card);
  const message = build(await whyElsewhere(deps, args.client, request));
  const { text, blocks } = message;
  // A Work Object's buttons have none.
  if (args.body.response_url) await args.respond({ replace_original: true, text, blocks });
  else if (request.message) await updateWithCard(args.client, request.message, message);
  if (reading.note) await replyPrivately(args, reading.note);
}
