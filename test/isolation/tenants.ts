import type { Slack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

export type Tenant = {
  workspace: Workspace;
  admin: User;
  member: User;
  channel: Channel;
  /** The marks of the keys that it uses. */
  marks: string[];
  typed: string;
};

export type Tenants = ReturnType<typeof populate>;

/** Three separate companies and an organization with two workspaces, nothing installed. */
export function populate(slack: Slack) {
  const make = (name: string, mark: string, more: object = {}): Tenant => {
    const workspace = slack.addWorkspace({ name, installed: false, ...more });
    const admin = workspace.addUser({ name: `${name} Admin`, admin: true });
    const member = workspace.addUser({ name: `${name} Member` });
    const channel = workspace.addChannel({ name: 'general', members: [admin, member] });
    return { workspace, admin, member, channel, marks: [mark], typed: `typed-in-${name}` };
  };
  const org = { enterpriseId: 'E1', orgWideInstall: true };
  const [first, second] = [make('One', 'markA'), make('Two', 'markB')];
  const twin = make('Three', 'markA');
  const [design, sales] = [make('Four', 'markD', org), make('Five', 'markE', org)];
  /** A channel of two companies, through which they know each other's people. */
  const share = (by: Tenant, other: Tenant) => {
    slack.state.workspaces.get(by.workspace.id)?.strangers.add(other.member.id);
    slack.state.workspaces.get(other.workspace.id)?.strangers.add(by.member.id);
    const members = [by.admin, by.member, other.member];
    const sharedWith = [other.workspace];
    return {
      by,
      with: other,
      channel: by.workspace.addChannel({ name: 'shared', sharedWith, members }),
    };
  };
  const all: [Tenant, ...Tenant[]] = [first, second, twin, design, sales];
  return {
    all,
    /** Installed the app themselves; two of them have the same key, and are still two workspaces. */
    alone: [first, second, twin],
    /** Got the app from one organization: the first has its own key, the second uses the default. */
    ofOrganization: [design, sales],
    organizationAdmin: design.workspace.addUser({ name: 'Chief', admin: true, orgAdmin: true }),
    shared: [share(first, second), share(design, second)],
  };
}
