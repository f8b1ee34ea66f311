import type { Context } from '@slack/bolt';
import type { Interaction } from '../../store/interactions.ts';
import type { SlackDeps } from '../deps.ts';
import { readEnvelope } from '../intake/envelope.ts';
import { workspaceOf } from './replies.ts';

/** What a handler got: Slack's body, and where Bolt found it to belong. */
export type Delivered = { body: unknown; context: Context };

/** Names what a person did; undefined for what Slack does not name, which changes nothing. */
export function interactionOf({ body, context }: Delivered): Interaction | undefined {
  const envelope = readEnvelope(body);
  const identity = envelope.kind === 'interaction' ? envelope.identity : undefined;
  return identity === undefined ? undefined : { workspaceId: workspaceOf(context), identity };
}

/**
 * Whether this is the first time that it arrives: signed bytes may be sent again for minutes, across
 * a restart or to another process, and must not take effect twice.
 *
 * To be asked after the acknowledgement and before any effect.
 */
export async function isFirstTime(
  deps: Pick<SlackDeps, 'interactions' | 'now' | 'log'>,
  delivered: Delivered,
): Promise<boolean> {
  const interaction = interactionOf(delivered);
  if (!interaction) return true;
  const isFirst = await deps.interactions.take(interaction, deps.now());
  if (!isFirst) deps.log.warn(interaction, 'an interaction came again and was left alone');
  return isFirst;
}
