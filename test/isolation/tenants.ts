import type { Slack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

/** One workspace with people, and what it may see. */
export type Tenant = {
  workspace: Workspace;
  admin: User;
  member: User;
  channel: Channel;
  /** The marks of the keys that it uses. */
  marks: string[];
  /** Appears in everything its people type. */
  typed: string;
};

export type Tenants = {
  all: [Tenant, ...Tenant[]];
  /** Installed the app themselves; two of them have the same key, and are still two workspaces. */
  alone: Tenant[];
  /** Got the app from one organization: the first has its own key, the second uses the default. */
  ofOrganization: Tenant[];
  organizationAdmin: User;
  /** Shared by two companies; the first created it. */
  shared: { channel: Channel; by: Tenant; with: Tenant }[];
};

/** Three separate companies and an organization with two workspaces, nothing installed. */
export function populate(slack: Slack): Tenants {
  const make = (name: string, mark: string, more: object = {}): Tenant => {
    const workspace = slack.addWorkspace({ name, installed: false, ...more });
    const admin = workspace.addUser({ name: `${name} Admin`, admin: true });
    const member = workspace.addUser({ name: `${name} Member` });
    const channel = workspace.addChannel({ name: 'general', members: [admin, member] });
    return { workspace, admin, member, channel, marks: [mark], typed: `typed-in-${name}` };
  };
  const org = { enterpriseId: 'E1', orgWideInstall: true };
  const [first, second, twin] = [
    make('One', 'markA'),
    make('Two', 'markB'),
    make('Three', 'markA'),
  ];
  const [design, sales] = [make('Four', 'markD', org), make('Five', 'markE', org)];
  const share = (by: Tenant, other: Tenant) => ({
    by,
    with: other,
    channel: by.workspace.addChannel({
      name: 'shared',
      sharedWith: [other.workspace],
      members: [by.admin, by.member, other.member],
    }),
  });
  // People from the other company are known through the shared channel.
  const meet = (by: Tenant, other: Tenant) => {
    for (const [here, there] of [
      [by, other],
      [other, by],
    ] as const) {
      slack.state.workspaces.get(here.workspace.id)?.strangers.add(there.member.id);
    }
    return share(by, other);
  };
  return {
    all: [first, second, twin, design, sales],
    alone: [first, second, twin],
    ofOrganization: [design, sales],
    organizationAdmin: design.workspace.addUser({ name: 'Chief', admin: true, orgAdmin: true }),
    shared: [meet(first, second), meet(design, second)],
  };
}
