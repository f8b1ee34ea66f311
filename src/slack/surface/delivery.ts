import type { Context } from '@slack/bolt';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import { type Entries, type EntryKey, onceKind } from '../../store/entries.ts';
import { unexpected } from '../words/errors.ts';
import { stringOf, workspaceOf } from './replies.ts';

/**
 * How long handled commands, button presses, and submissions are remembered, in ms. A signature may be five minutes
 * ahead and is valid for five minutes, so a delivery can be replayed for ten
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export const KEEP_INTERACTIONS_MS = 11 * 60_000;
const INTERACTION = onceKind('interaction', KEEP_INTERACTIONS_MS);

export const interactionNamed = (owner: WorkspaceId, name: string): EntryKey<true> => ({
  kind: INTERACTION,
  owner,
  name,
});

/** The entry that records an interaction. Undefined for searches in menus, which change nothing. */
export function interactionOf({ context }: { context: Context }): EntryKey<true> | undefined {
  const identity = stringOf(context.identity);
  return identity === undefined ? undefined : interactionNamed(workspaceOf(context), identity);
}

export type IsFirstDelivery = ReturnType<typeof createIsFirstDelivery>;

/**
 * Records an interaction and returns whether it is new. Slack and attackers can resend signed bytes
 * for minutes, also after a restart or to another replica; they must not take effect twice.
 *
 * Call it after the acknowledgment and before any effect.
 */
export const createIsFirstDelivery =
  ({ entries, now, log }: { entries: Entries; now: () => Date; log: Log }) =>
  async (delivery: { context: Context }): Promise<boolean> => {
    const interaction = interactionOf(delivery);
    if (!interaction) return true;
    const isFirst = await entries.takeOnce(interaction, now());
    const { owner: workspaceId, name: identity } = interaction;
    if (!isFirst)
      log.warn(
        { workspace: workspaceId, identity },
        'ignored an interaction that was delivered before',
      );
    return isFirst;
  };

/**
 * How long an acknowledgment, for which Slack waits 3 s, may wait for the data that it needs, in ms. The data is
 * usually in memory; after a restart or on another replica, it is loaded first. A form waits no longer, either.
 */
const WAIT_MS = 2_000;

/** Waits at most WAIT_MS. Work that is late goes on, but its result is ignored. */
export async function inTime<Result>(work: Promise<Result>, ifLate: Result): Promise<Result> {
  const { promise: timeout, resolve } = Promise.withResolvers<Result>();
  const timer = setTimeout(resolve, WAIT_MS, ifLate);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Logs an unexpected error under a new reference (`E-…`). @returns the text to show, with the reference */
export function reportUnexpected(
  log: Log,
  error: unknown,
  what: string,
  {
    context = {},
    words = unexpected,
  }: {
    context?: Record<string, unknown>;
    words?: (reference: string) => string;
  } = {},
): string {
  const reference = newErrorReference();
  log.error({ err: error, ref: reference, ...context }, what);
  return words(reference);
}
