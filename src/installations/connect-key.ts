import { resumeWaiting } from '../requests/resume-waiting.ts';
import type { CardReader } from '../service/cache/card-reader.ts';
import type { ReferenceLists } from '../service/cache/reference-lists.ts';
import { DesignApiError, type DesignApiErrorCode } from '../service/errors.ts';
import type { ServiceAccess } from '../service/service-access.ts';
import { changesBetween } from '../store/audit-entries.ts';
import type { OrganizationWorkspaceStore } from '../store/organization-workspaces.ts';
import type { RequestStore } from '../store/requests.ts';
import type { Administrator, Transact } from '../store/transact.ts';
import type { EffectiveKeys } from './effective-keys.ts';
import {
  asWorkspace,
  type OrganizationId,
  type OwnerId,
  type WorkspaceId,
} from './workspace-id.ts';

export type ConnectContext = {
  keys: EffectiveKeys;
  service: ServiceAccess;
  referenceLists: ReferenceLists;
  cards: CardReader;
  requests: RequestStore;
  organizations: Pick<OrganizationWorkspaceStore, 'workspacesOf'>;
  transact: Transact;
  now: () => Date;
};

export type ConnectResult =
  | { connected: true; resumed: number }
  | { connected: false; code: DesignApiErrorCode };

/**
 * Checks a key with the service and saves it if it is accepted. Requests that waited for a key are sent.
 *
 * @param input.key as typed; only stored encrypted
 * @param input.organizationId set if the key is the organization's default for workspaces without one
 */
export async function connectKey(
  ctx: ConnectContext,
  input: {
    workspaceId: WorkspaceId;
    by: Administrator;
    key: string;
    organizationId?: OrganizationId | undefined;
  },
): Promise<ConnectResult> {
  const { workspaceId } = input;
  try {
    // As far as we know, every key may list request types, which the form needs next.
    const api = ctx.service.withKey(input.key);
    await api.listRequestTypes();
  } catch (error) {
    if (!(error instanceof DesignApiError)) throw error;
    return { connected: false, code: error.code };
  }
  const owner = input.organizationId ?? workspaceId;
  await saveKey(ctx, owner, input);
  // The organization's own ID, too, under which events without a known workspace are stored.
  const others = await ctx.organizations.workspacesOf(owner);
  const served = [workspaceId, asWorkspace(owner), ...others];
  let resumed = 0;
  for (const id of new Set(served)) {
    forgetKey(ctx, id);
    resumed += await resumeWaiting(ctx, id);
  }
  // So that the next form opens complete.
  void ctx.referenceLists.warm(workspaceId);
  return { connected: true, resumed };
}

async function saveKey(
  { transact, now }: Pick<ConnectContext, 'transact' | 'now'>,
  owner: OwnerId,
  { key, by }: { key: string; by: Administrator },
): Promise<void> {
  await transact(async ({ administer }) => {
    const { keys, record } = await administer(owner, by);
    const before = await keys.describe(owner);
    await keys.save(owner, key, by.id, now());
    const after = await keys.describe(owner);
    const changes = changesBetween({ key: before?.lastFour }, { key: after?.lastFour });
    await record({ what: 'key_connected', changes }, now());
  });
}

/** Drops the client and everything that was read with the previous key. */
export function forgetKey(
  ctx: Pick<ConnectContext, 'service' | 'referenceLists' | 'cards'>,
  workspaceId: WorkspaceId,
): void {
  ctx.service.forget(workspaceId);
  ctx.referenceLists.forget(workspaceId);
  ctx.cards.forget(workspaceId);
}
