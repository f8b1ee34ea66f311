import { install, type Reachable } from '../journeys/browser.ts';
import { hasField } from '../sandbox/complete-form.ts';
import type { Slack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { keyMarked } from './marking-service.ts';
import type { Tenants } from './tenants.ts';

const IN_ALL = 'In all of the organization’s workspaces that have no key of their own';
/** Allows for a busy machine; nothing is timed by this. */
const PATIENCE_MS = 45_000;

/** Installs the app everywhere and connects everyone's key, as people do. */
export async function connectTenants(at: Reachable, tenants: Tenants): Promise<void> {
  const { slack } = at;
  for (const { workspace, admin } of tenants.alone) await install(at, workspace, admin);
  const [design, sales] = tenants.ofOrganization;
  if (!design || !sales) throw new Error('there is no organization');
  await install(at, design.workspace, tenants.organizationAdmin);
  for (const { workspace } of [design, sales]) workspace.changeAccess('team_access_granted');
  await slack.idle();
  for (const { workspace, channel, admin, marks } of [...tenants.alone, design]) {
    await connectKey(slack, { workspace, channel, by: admin, key: keyOf(marks) });
  }
  // The organization's default key; the person who connects it is in the other workspace.
  const { workspace, channel } = design;
  const by = tenants.organizationAdmin;
  await connectKey(slack, { workspace, channel, by, key: keyOf(sales.marks), where: IN_ALL });
}

const keyOf = ([mark = '']: readonly string[]) => keyMarked(mark.replace('mark', ''));

type Connecting = { workspace: Workspace; channel: Channel; by: User; key: string; where?: string };

/** An admin installs the app in the browser, and connects the key in Slack. */
export async function installAndConnect(at: Reachable, connecting: Connecting): Promise<void> {
  await install(at, connecting.workspace, connecting.by);
  await connectKey(at.slack, connecting);
}

type Acme = { slack: Slack; acme: Workspace; admin: User; general: Channel };

export const installAcme = ({ slack, acme, admin, general }: Acme, url: string, key: string) =>
  installAndConnect({ app: { url }, slack }, { workspace: acme, channel: general, by: admin, key });

export async function connectKey(slack: Slack, at: Connecting): Promise<void> {
  const person = at.workspace.as(at.by);
  await person.command(at.channel, 'connect');
  await slack.until(() => hasField(person, 'API key'), 'the connect modal', PATIENCE_MS);
  await person.fill({ 'API key': at.key, ...(at.where ? { 'Where to use it': [at.where] } : {}) });
  await person.submit();
  await slack.until(() => person.sees().includes('Connected'), 'the connection', PATIENCE_MS);
  await person.close({ all: true });
}
