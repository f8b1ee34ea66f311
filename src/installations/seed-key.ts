import { changesBetween } from '../store/audit-entries.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceId } from './workspace-id.ts';

/**
 * Connects the API key of the deployment's settings, if none was ever connected.
 *
 * @returns whether it was connected
 */
export function seedKey(
  { transact, now }: { transact: Transact; now: () => Date },
  workspaceId: WorkspaceId,
  key: string,
): Promise<boolean> {
  return transact(async ({ keys, auditEntries }) => {
    if (!(await keys.seed(workspaceId, key, now()))) return false;
    const after = await keys.describe(workspaceId);
    const changes = changesBetween({}, { key: after?.lastFour });
    await auditEntries.add(workspaceId, { what: 'key_connected', by: undefined, changes }, now());
    return true;
  });
}
