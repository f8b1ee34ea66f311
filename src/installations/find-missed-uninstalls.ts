import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ops/logging.ts';
import type { InstallationStore } from '../store/installations.ts';
import type { OwnerId } from './workspace-id.ts';

/** Slack retries an uninstall event for about six minutes, so the app misses it if it is down for longer. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;
/** Delayed, to keep the start fast; in ms. */
const FIRST_CHECK_MS = 5_000;
/** Between two workspaces, in ms. */
const PAUSE_MS = 200;

/**
 * Asks Slack, soon after the start and then daily, whether the app is still installed in each workspace.
 *
 * @param deps.deleteIfUninstalled deletes the data of a workspace if the app isn't installed
 * @returns a function that stops this
 */
export function keepFindingMissedUninstalls(deps: {
  installations: Pick<InstallationStore, 'list'>;
  deleteIfUninstalled: (id: OwnerId) => Promise<void>;
  log: Log;
  firstCheckMs?: number;
  pauseMs?: number;
}): () => void {
  const {
    installations,
    deleteIfUninstalled,
    log,
    firstCheckMs = FIRST_CHECK_MS,
    pauseMs = PAUSE_MS,
  } = deps;
  const ending = new AbortController();

  async function checkAll(): Promise<void> {
    for (const id of await installations.list()) {
      await sleep(pauseMs, undefined, { signal: ending.signal });
      // If Slack doesn't answer, it is asked again tomorrow.
      await deleteIfUninstalled(id).catch((error) =>
        log.debug({ err: error, workspace: id }, 'Slack did not say whether the app is installed'),
      );
    }
  }
  const run = () =>
    void checkAll().catch((error) => {
      if (!ending.signal.aborted) log.warn({ err: error }, 'could not look for missed uninstalls');
    });

  const first = setTimeout(run, firstCheckMs);
  const daily = setInterval(run, CHECK_EVERY_MS);
  return () => {
    clearTimeout(first);
    clearInterval(daily);
    ending.abort();
  };
}
