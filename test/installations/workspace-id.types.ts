import type { OrganizationId, OwnerId, WorkspaceId } from '../../src/installations/workspace-id.ts';
import type { JobQueue } from '../../src/jobs/queue.ts';
import type { CardReader } from '../../src/service/cache/card-reader.ts';
import type { ServiceAccess } from '../../src/service/service-access.ts';
import type { SlackClients } from '../../src/slack/client/slack-client.ts';
import type { Tenant } from '../../src/slack/workspaces/tenant.ts';
import type { Workspaces } from '../../src/slack/workspaces/workspaces.ts';
import type { Database } from '../../src/store/database.ts';
import type { Stores } from '../../src/store/stores.ts';
import { once } from '../store/stores-under-test.ts';

/** What the compiler must reject. Nothing here runs: `tsc` reports any line that it no longer rejects. */
type Given = Stores & {
  service: ServiceAccess;
  cards: CardReader;
  clients: SlackClients;
  jobs: JobQueue;
  workspaces: Workspaces;
  db: Database;
  workspaceId: WorkspaceId;
  organizationId: OrganizationId;
  ownerId: OwnerId;
  tenant: Tenant;
  /** IDs as Slack's payloads contain them. */
  event: { user: string; channel: string; team_id: string };
};

const kind = 'work';
const payload = {};
const person = { class: 'person' } as const;
const listTags = (api: Parameters<Parameters<ServiceAccess['call']>[1]>[0]) => api.listTags();

/** A person, a channel, and a payload's own `team_id`, which in a shared channel may be another company's. */
export function otherIdsAreRefused(given: Given): void {
  const { service, jobs, entries, db, keys, cards, clients, event, workspaceId } = given;
  // @ts-expect-error
  void service.call(event.user, listTags);
  // @ts-expect-error
  void jobs.add({ kind, workspaceId: event.user, payload });
  // @ts-expect-error
  void entries.get(once(event.user, workspaceId));
  // @ts-expect-error
  void db.deleteFrom('requests').where('workspaceId', '=', event.user);
  // @ts-expect-error
  void entries.get(once(event.channel, ''));
  // @ts-expect-error
  void keys.describe(event.team_id);
  // @ts-expect-error
  void cards.read(event.team_id, 'card', person);
  // @ts-expect-error
  void clients.of(event.team_id);
}

export function aClaimIsRefused({ service, jobs, organizations, workspaces, tenant }: Given): void {
  const { claimedId, organizationId } = tenant;
  // @ts-expect-error
  void service.call(tenant.workspaceId, listTags);
  if (claimedId === undefined || organizationId === undefined) return;
  // @ts-expect-error
  void service.call(claimedId, listTags);
  // @ts-expect-error
  void jobs.add({ kind, workspaceId: claimedId, payload });
  // @ts-expect-error
  void workspaces.has(claimedId);
  // @ts-expect-error
  void organizations.add(organizationId, [claimedId], new Date());
  // It is accepted only here; what comes back is the store's own value.
  void (organizations.findWorkspace(organizationId, claimedId) satisfies Promise<
    WorkspaceId | undefined
  >);
}

export function anOrganizationIsRefused(given: Given): void {
  const { service, cards, jobs, organizations, db, workspaceId, organizationId, ownerId } = given;
  // @ts-expect-error
  void service.call(organizationId, listTags);
  // @ts-expect-error
  void cards.read(organizationId, 'card', person);
  // @ts-expect-error
  void jobs.add({ kind, workspaceId: organizationId, payload });
  // @ts-expect-error
  void db.deleteFrom('requests').where('workspaceId', '=', organizationId);
  // @ts-expect-error
  void jobs.add({ kind, workspaceId: ownerId, payload });
  // @ts-expect-error
  void organizations.add(workspaceId, [workspaceId], new Date());
  // @ts-expect-error
  void organizations.add(organizationId, [organizationId], new Date());
}

export async function aKeyMayBeOfAnOrganization({ db }: Given): Promise<void> {
  const row = await db.selectFrom('api_keys').select('workspaceId').executeTakeFirstOrThrow();
  // @ts-expect-error
  void (row.workspaceId satisfies WorkspaceId);
}
