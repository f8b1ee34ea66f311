import { asWorkspace } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import type { InstallationStore } from '../../store/installations.ts';
import type { Installed } from '../tenancy/token-exchange.ts';
import type { Workspaces } from '../tenancy/workspaces.ts';
import { greetInstallerJob } from './greet-installer.ts';

/**
 * Stores an installation, replacing an earlier one, and has the person who installed the app
 * greeted.
 */
export async function keepInstallation(
  ctx: {
    installations: Pick<InstallationStore, 'save'>;
    workspaces: Pick<Workspaces, 'forget'>;
    jobs: JobQueue;
    now: () => Date;
    log: Log;
  },
  installed: Installed,
): Promise<void> {
  const { id, installedBy, isOrganization, scopes } = installed;
  await ctx.installations.save(installed, ctx.now());
  // Drop what is cached of an earlier installation, above all its tokens.
  ctx.workspaces.forget(id);
  ctx.log.info({ workspace: id, by: installedBy, isOrganization, scopes }, 'the app was installed');
  if (installedBy === undefined) return;
  await ctx.jobs.add(greetInstallerJob(asWorkspace(id), installedBy));
}
