import type { Log } from '../ops/logging.ts';
import type { WorkspaceRows } from '../store/workspace-rows.ts';

/** Whatever was running at an uninstall has ended by the last of these; in ms. */
const AFTER_UNINSTALL_MS = [2_000, 10_000, 45_000];
/** In case a process ends before that. */
const RUN_EVERY_MS = 60 * 60_000;

/**
 * Deletes data of workspaces that don't have the app. Also runs several times in the minute after an uninstall, because
 * a form that was being submitted, or another replica that hasn't noticed yet, may still store something.
 */
export function createLeftoverDeletion(deps: {
  rows: Pick<WorkspaceRows, 'listForeign' | 'deleteAll'>;
  /** Called when something was deleted. */
  erase: () => Promise<void>;
  log: Log;
  afterUninstallMs?: readonly number[];
}) {
  const { rows, erase, log, afterUninstallMs = AFTER_UNINSTALL_MS } = deps;
  const timers = new Set<NodeJS.Timeout>();

  async function deleteLeftovers(): Promise<void> {
    for (const id of await rows.listForeign()) {
      const deleted = await rows.deleteAll(id, undefined);
      log.info({ workspace: id, rows: deleted }, 'deleted data of a workspace without the app');
      await erase();
    }
  }
  const run = () =>
    void deleteLeftovers().catch((error) =>
      log.warn({ err: error }, 'could not delete data of workspaces without the app'),
    );

  function runAfterUninstall(): void {
    for (const wait of afterUninstallMs) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        run();
      }, wait);
      timers.add(timer);
    }
  }

  let hourly: NodeJS.Timeout | undefined;
  return {
    /** Runs now and several times soon after, since an uninstall's process may have ended early; then every hour. */
    start(): void {
      run();
      runAfterUninstall();
      hourly = setInterval(run, RUN_EVERY_MS);
    },
    /** Call this when a workspace has uninstalled the app: work that is still running may write something. */
    afterUninstall: runAfterUninstall,
    end(): void {
      clearInterval(hourly);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
