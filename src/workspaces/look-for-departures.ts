import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OwnerId } from './workspace-id.ts';

/** Slack tells of an uninstall for six minutes: while the app is away for longer, nobody tells it. */
const LOOK_EVERY_MS = 24 * 60 * 60_000;
/** Between two workspaces, in ms: nothing waits for this. */
const PAUSE_MS = 200;

/**
 * Asks Slack now and every day, one workspace after the other, whether the app is still installed.
 *
 * @param deps.forget deletes what is kept of one where it is not
 * @returns ends it
 */
export function keepLookingForDepartures(deps: {
  installations: Pick<InstallationStore, 'list'>;
  forget: (id: OwnerId) => Promise<void>;
  log: Log;
  pauseMs?: number;
}): () => void {
  const { installations, forget, log, pauseMs = PAUSE_MS } = deps;
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

  run();
  const daily = setInterval(run, LOOK_EVERY_MS);
  return () => {
    clearInterval(daily);
    ending.abort();
  };
}
