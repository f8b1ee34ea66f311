import type { Log } from '../ops/logging.ts';
import type { Stores } from './stores.ts';

/**
 * Seals everything again, with the first key of the ring, that an earlier one had sealed; says what was
 * done, and what can't be opened with any.
 */
export async function resealWithNewestKey(
  { keys, installations }: Pick<Stores, 'keys' | 'installations'>,
  log: Log,
): Promise<void> {
  for (const [what, store] of [
    ['API keys', keys],
    ['Slack’s tokens', installations],
  ] as const) {
    const { resealed, unreadable } = await store.reseal();
    if (resealed > 0) log.info({ resealed }, `${what} were sealed with the newest encryption key`);
    if (unreadable > 0)
      log.error({ unreadable }, `stored ${what} can’t be read with ENCRYPTION_KEYS`);
  }
}
