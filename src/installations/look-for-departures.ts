import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OwnerId } from './workspace-id.ts';

/** Slack tells of an uninstall for six minutes: while the app is away for longer, nobody tells it. */
const LOOK_EVERY_MS = 24 * 60 * 60_000;
/** After the start, which has enough to do; in ms. */
const FIRST_LOOK_MS = 5_000;
/** Between two workspaces, in ms: nothing waits for this. */
const PAUSE_MS = 200;

/**
 * Asks Slack soon after the start and every day, one workspace after the other, whether the app is still
 * installed.
 *
 * @param deps.forget deletes what is kept of one where it is not
 * @returns ends it
 */
export function keepLookingForDepartures(deps: {
  installations: Pick<InstallationStore, 'list'>;
  forget: (id: OwnerId) => Promise<void>;
  log: Log;
  firstLookMs?: number;
  pauseMs?: number;
}): () => void {
  const { installations, forget, log, firstLookMs = FIRST_LOOK_MS, pauseMs = PAUSE_MS } = deps;
  const ending = new AbortController();

  async function look(): Promise<void> {
    for (const id of await installations.list()) {
      await sleep(pauseMs, undefined, { signal: ending.signal });
      // Where Slack does not say, it is asked again tomorrow.
      await forget(id).catch((error) => log.debug({ err: error, workspace: id }, 'not known'));
    }
  }
  const run = () =>
    void look().catch((error) => {
      if (!ending.signal.aborted) log.warn({ err: error }, 'departures could not be looked for');
    });

  const first = setTimeout(run, firstLookMs);
  const daily = setInterval(run, LOOK_EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(daily);
    ending.abort();
  };
}
