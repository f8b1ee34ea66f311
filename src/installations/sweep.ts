import type { Log } from '../ops/logging.ts';
import type { WorkspaceRows } from '../store/workspace-rows.ts';

/** Deletes what is kept of workspaces that don't have the app. */
export type Sweep = {
  /** Sweeps now and every hour. */
  start(): void;
  /** A workspace has left: what was under way for it may still write something. */
  afterDeparture(): void;
  end(): void;
};

/** Whatever was under way when a workspace left has ended by the last of these; in ms. */
const AFTER_DEPARTURE_MS = [2_000, 10_000, 45_000];
/** A process may have ended before it had swept. */
const SWEEP_EVERY_MS = 60 * 60_000;

/**
 * Also sweeps several times in the minute after a departure: a form that was being sent, or another
 * replica that hadn't noticed yet, may bring something back.
 */
export function createSweep(deps: {
  rows: Pick<WorkspaceRows, 'listForeign' | 'deleteAll'>;
  /** To be called when something was deleted. */
  erase: () => void;
  log: Log;
  afterDepartureMs?: readonly number[];
}): Sweep {
  const { rows, erase, log, afterDepartureMs = AFTER_DEPARTURE_MS } = deps;
  const timers = new Set<NodeJS.Timeout>();

  async function sweep(): Promise<void> {
    for (const id of await rows.listForeign()) {
      const deleted = await rows.deleteAll(id, undefined);
      log.info({ workspace: id, rows: deleted }, 'what was left of a workspace was deleted');
      erase();
    }
  }
  const run = () =>
    void sweep().catch((error) => log.warn({ err: error }, 'leftovers could not be deleted'));

  let hourly: NodeJS.Timeout | undefined;
  return {
    start() {
      run();
      hourly = setInterval(run, SWEEP_EVERY_MS);
    },
    afterDeparture() {
      for (const wait of afterDepartureMs) {
        const timer = setTimeout(() => {
          timers.delete(timer);
          run();
        }, wait);
        timers.add(timer);
      }
    },
    end() {
      clearInterval(hourly);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
