import type { Log } from '../ops/logging.ts';
import { type ApiKeyStore, fingerprintOf } from '../store/api-keys.ts';
import { changesBetween } from '../store/audit-entries.ts';
import type { Transact } from '../store/transact.ts';
import type { WorkspaceId } from './workspace-id.ts';

/** Connects the API key of the deployment's settings, if none was ever connected; otherwise warns if it's another one. */
export async function connectFromSettings(
  {
    transact,
    keys,
    now,
    log,
  }: { transact: Transact; keys: Pick<ApiKeyStore, 'describe'>; now: () => Date; log: Log },
  workspaceId: WorkspaceId,
  key: string,
): Promise<void> {
  const about = { workspace: workspaceId };
  const isConnected = await transact(async (stores) => {
    if (!(await stores.keys.seed(workspaceId, key, now()))) return false;
    const after = await stores.keys.describe(workspaceId);
    const changes = changesBetween({}, { key: after?.lastFour });
    const entry = { what: 'key_connected', by: undefined, changes } as const;
    await stores.auditEntries.add(workspaceId, entry, now());
    return true;
  });
  if (isConnected) return log.info(about, 'connected the API key from DESIGN_API_KEY');
  const stored = await keys.describe(workspaceId);
  if (stored?.state === 'active' && stored.fingerprint === fingerprintOf(key)) return;
  log.warn(
    { ...about, state: stored?.state },
    'DESIGN_API_KEY is ignored: it only counts until a key is connected. To use it, an admin types /design-request connect',
  );
}
