import { changesBetween } from '../store/audit-entries.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceSettings } from '../store/workspace-settings.ts';
import type { WorkspaceId } from './workspace-id.ts';

/** Saves the settings of a workspace, and records what changed. */
export async function saveSettings(
  ctx: { transact: Transact; now: () => Date },
  input: { workspaceId: WorkspaceId; by: string; settings: WorkspaceSettings },
): Promise<void> {
  const { workspaceId, by, settings: after } = input;
  await ctx.transact(async ({ settings, auditEntries }) => {
    const changes = changesBetween(await settings.get(workspaceId), after);
    await settings.save(workspaceId, after, by, ctx.now());
    if (changes.length === 0) return;
    await auditEntries.add(workspaceId, { what: 'settings_changed', by, changes }, ctx.now());
  });
}
