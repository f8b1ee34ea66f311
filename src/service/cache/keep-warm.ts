import type { Log } from '../../ops/logging.ts';
import type { WorkspacesInUse } from '../../store/workspaces-in-use.ts';
import type { ReferenceLists } from './reference-lists.ts';

/** The approximate age of the lists in a form that nobody has opened for a long time. */
const WARM_EVERY_MS = 30 * 60_000;
/** Lists that no replica has read lately cost two calls for each workspace; all others are in the database. */
const WARMED_AT_START = 50;
/** Limited, to avoid a burst of calls at start. */
const WARMED_AT_ONCE = 4;

type WarmDeps = {
  referenceLists: Pick<ReferenceLists, 'warm' | 'warmAgain'>;
  /** Whose lists to read at start, the most likely first. */
  inUse?: WorkspacesInUse | undefined;
  log: Log;
};

/** Reads what forms need before they are opened, and keeps it fresh. @returns a function that stops this */
export function keepWarm({ referenceLists, inUse, log }: WarmDeps): () => void {
  let isOver = false;
  async function warmFirst(): Promise<void> {
    const waiting = ((await inUse?.list(WARMED_AT_START)) ?? []).values();
    const warmSome = async () => {
      for (const id of waiting) {
        if (isOver) return;
        await referenceLists.warm(id);
      }
    };
    await Promise.all(Array.from({ length: WARMED_AT_ONCE }, warmSome));
  }
  warmFirst().catch((error) => log.warn({ err: error }, 'could not read the lists of forms ahead'));
  const timer = setInterval(() => void referenceLists.warmAgain(), WARM_EVERY_MS);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
