import type { Log } from '../../ops/logging.ts';
import type { WorkspacesInUse } from '../../store/workspaces-in-use.ts';
import type { Catalogue } from './catalogue.ts';

/** A form that nobody opened for long shows lists of about this age at most. */
const WARM_EVERY_MS = 30 * 60_000;
/**
 * Each costs two calls of its key, on each replica, and room in memory: 200 took 70 MB right after the
 * start, with lists of a few dozen entries.
 */
const WARMED_AT_START = 50;
/** A start is no reason for a burst: whoever opens a form meanwhile goes before. */
const WARMED_AT_ONCE = 4;

type WarmDeps = {
  catalogue: Pick<Catalogue, 'warm' | 'warmAgain'>;
  /** Whose lists are read at the start, the most likely first; none where they were read already. */
  inUse?: WorkspacesInUse | undefined;
  log: Log;
};

/** Reads what forms need before they are opened, and keeps it from growing old. @returns ends it */
export function keepWarm({ catalogue, inUse, log }: WarmDeps): () => void {
  let isOver = false;
  async function warmFirst(): Promise<void> {
    const waiting = ((await inUse?.list(WARMED_AT_START)) ?? []).values();
    const warmSome = async () => {
      for (const id of waiting) {
        if (isOver) return;
        await catalogue.warm(id);
      }
    };
    await Promise.all(Array.from({ length: WARMED_AT_ONCE }, warmSome));
  }
  warmFirst().catch((error) => log.warn({ err: error }, 'forms may open loading after this start'));
  const timer = setInterval(() => void catalogue.warmAgain(), WARM_EVERY_MS);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
