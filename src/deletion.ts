import type { DesignService } from './design-service.ts';
import { createLeftoverDeletion } from './installations/delete-leftovers.ts';
import { deleteWorkspace, keepFindingMissedUninstalls } from './installations/delete-workspace.ts';
import type { OwnerId } from './installations/workspace-id.ts';
import type { Log } from './ops/logging.ts';
import type { Workspaces } from './slack/workspaces/workspaces.ts';
import type { Database } from './store/database.ts';
import { keepPruned } from './store/prune.ts';
import { createEraser } from './store/sqlite/erase.ts';
import type { Stores } from './store/stores.ts';

/** Deletes what is too old, and everything of workspaces that have uninstalled the app. */
export function createDeletion(
  deps: DesignService & {
    db: Database;
    stores: Stores;
    workspaces: Workspaces;
    now: () => Date;
    log: Log;
  },
) {
  const { db, stores, workspaces, now, log } = deps;
  const eraser = createEraser(db, { now, log });
  const leftovers = createLeftoverDeletion({ rows: stores.rows, erase: eraser.rewriteFile, log });

  async function deleteIfUninstalled(id: OwnerId, at?: Date): Promise<void> {
    const { isInstalled, isGranted, forget: close } = workspaces;
    const isDeleted = await deleteWorkspace(
      { ...deps, ...stores, isInstalled, isGranted, close },
      { id, at },
    );
    if (!isDeleted) return;
    await eraser.rewriteFile();
    leftovers.afterUninstall();
  }

  return {
    deleteIfUninstalled,

    /** Keeps looking for both, until the function that it returns is called. */
    start(): () => void {
      const endPruning = keepPruned({ db, stores, eraser, now, log });
      leftovers.start();
      const { installations } = stores;
      const endChecks = keepFindingMissedUninstalls({ installations, deleteIfUninstalled, log });
      return () => {
        endChecks();
        leftovers.end();
        endPruning();
      };
    },
  };
}
