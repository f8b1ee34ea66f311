import type { Context } from '@slack/bolt';
import type { Interaction } from '../../store/interactions.ts';
import type { SlackDeps } from '../deps.ts';
import { stringOf, workspaceOf } from './replies.ts';

type Delivery = { context: Context };

/** Identifies an interaction, as the intake read it. Undefined for searches in menus, which change nothing. */
export function interactionOf({ context }: Delivery): Interaction | undefined {
  const identity = stringOf(context.identity);
  return identity === undefined ? undefined : { workspaceId: workspaceOf(context), identity };
}

/**
 * Records an interaction and returns whether it is new. Slack and attackers can resend signed bytes
 * for minutes, also after a restart or to another replica; they must not take effect twice.
 *
 * Call it after the acknowledgment and before any effect.
 */
export async function isFirstDelivery(
  deps: Pick<SlackDeps, 'interactions' | 'now' | 'log'>,
  delivery: Delivery,
): Promise<boolean> {
  const interaction = interactionOf(delivery);
  if (!interaction) return true;
  const isFirst = await deps.interactions.take(interaction, deps.now());
  if (!isFirst) deps.log.warn(interaction, 'ignored an interaction that was delivered before');
  return isFirst;
}
