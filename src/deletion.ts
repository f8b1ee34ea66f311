import { setTimeout as sleep } from 'node:timers/promises';
import { forgetKey } from './installations/connect-key.ts';
import { asWorkspace, type OwnerId } from './installations/workspace-id.ts';
import type { Log } from './ops/logging.ts';
import type { Workspaces } from './slack/workspaces/workspaces.ts';
import type { Database } from './store/database.ts';
import { keepPruned } from './store/prune.ts';
import { createEraser } from './store/sqlite/erase.ts';
import type { Stores } from './store/stores.ts';

/** Whatever was running at an uninstall has ended by the last of these; in ms. */
const LEFTOVERS_AFTER_MS = [2_000, 10_000, 45_000];
/** In case a process ends before that. */
const LEFTOVERS_EVERY_MS = 60 * 60_000;

/** Slack retries an uninstall event for about six minutes; the app may be down for longer. */
const CHECK_EVERY_MS = 24 * 60 * 60_000;
/** Delayed, to keep the start fast; in ms. */
const FIRST_CHECK_MS = 5_000;
/** Between two workspaces, in ms. */
const PAUSE_MS = 200;

/** Deletes what is too old, and everything of workspaces that have uninstalled the app. */
export function createDeletion(
  deps: Parameters<typeof forgetKey>[0] & {
    db: Database;
    stores: Stores;
    workspaces: Pick<Workspaces, 'isInstalled' | 'isGranted' | 'forget'>;
    now: () => Date;
    log: Log;
  },
) {
  const { db, stores, workspaces, now, log } = deps;
  const { installations, organizations, rows } = stores;
  const eraser = createEraser(db, { now, log });
  let hasEnded = false;
  const after = (ms: number, work: () => void) =>
    setTimeout(() => {
      if (!hasEnded) work();
    }, ms).unref();

  async function deleteLeftovers(): Promise<void> {
    for (const id of await rows.listForeign()) {
      const deleted = await rows.deleteAll(id, undefined);
      log.info({ workspace: id, rows: deleted }, 'deleted data of a workspace without the app');
      await eraser.rewriteFile();
    }
  }
  const sweep = () =>
    void deleteLeftovers().catch((error) =>
      log.warn({ err: error }, 'could not delete data of workspaces without the app'),
    );
  /** A form that was being submitted, or another replica, may still store something. */
  const sweepAfterUninstall = () => {
    for (const wait of LEFTOVERS_AFTER_MS) after(wait, sweep);
  };

  /**
   * Deletes everything of a workspace or an organization without the app.
   *
   * Slack sends `app_uninstalled` and `tokens_revoked` in any order, repeatedly, late, and possibly after
   * a reinstallation, so it is asked whether the app is installed. One installed meanwhile is kept.
   *
   * @param at the time of the uninstall event, if there was one
   * @throws Slack's error if it doesn't answer; nothing is deleted then
   */
  async function deleteWorkspace(id: OwnerId, at?: Date): Promise<boolean> {
    const install = await installations.describe(id);
    const isUninstallReported = at !== undefined;
    if (install && (await workspaces.isInstalled(id, { isUninstallReported }))) {
      if (at) log.info({ workspace: id }, 'ignored an uninstall event: the app is installed');
      return false;
    }
    const organizationId = await organizations.organizationOf(id);
    if (organizationId && (await workspaces.isGranted(asWorkspace(id), organizationId))) {
      const about = { workspace: id, organization: organizationId };
      log.info(about, 'a workspace still has the app, from its organization');
      if (install) await installations.remove({ id, version: install.version });
      workspaces.forget(id);
      return false;
    }
    const deleted = await rows.deleteAll(id, install);
    // After the deletion, so that nothing is cached again.
    workspaces.forget(id);
    forgetKey(deps, asWorkspace(id));
    if (deleted === undefined) {
      log.info({ workspace: id }, 'deleted nothing: the app was installed again meanwhile');
      return false;
    }
    log.info({ workspace: id, rows: deleted }, 'deleted the data of a workspace');
    return true;
  }

  async function deleteIfUninstalled(id: OwnerId, at?: Date): Promise<void> {
    // Read before the organization is deleted.
    const workspaceIds = await organizations.workspacesOf(id);
    if (!(await deleteWorkspace(id, at))) return;
    for (const workspaceId of workspaceIds) await deleteWorkspace(workspaceId);
    await eraser.rewriteFile();
    sweepAfterUninstall();
  }

  async function askWhereInstalled(): Promise<void> {
    for (const id of await installations.list()) {
      await sleep(PAUSE_MS, undefined, { ref: false });
      if (hasEnded) return;
      // If Slack doesn't answer, it is asked again tomorrow.
      await deleteIfUninstalled(id).catch((error) =>
        log.debug({ err: error, workspace: id }, 'Slack did not say whether the app is installed'),
      );
    }
  }
  const findMissedUninstalls = () =>
    void askWhereInstalled().catch((error) =>
      log.warn({ err: error }, 'could not look for missed uninstalls'),
    );

  return {
    deleteIfUninstalled,

    /** @returns a function that stops this */
    start(): () => void {
      const endPruning = keepPruned({ db, stores, eraser, now, log });
      sweep();
      // The process that knew of an uninstall may have ended early.
      sweepAfterUninstall();
      after(FIRST_CHECK_MS, findMissedUninstalls);
      const hourly = setInterval(sweep, LEFTOVERS_EVERY_MS);
      const daily = setInterval(findMissedUninstalls, CHECK_EVERY_MS);
      return () => {
        hasEnded = true;
        clearInterval(hourly);
        clearInterval(daily);
        endPruning();
      };
    },
  };
}
