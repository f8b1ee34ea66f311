import { describe, expect, it } from 'vitest';
import { asWorkspace, type WorkspaceId } from '../../../src/installations/workspace-id.ts';
import { createPeople } from '../../../src/slack/client/people.ts';
import { E1, workspaceNamed } from '../../installations/ids.ts';
import { startSlackWithoutApp } from '../slack-without-app.ts';

describe('what Slack says about a person', () => {
  it('gives them exactly one role in the workspace', async () => {
    const { slack, workspace, client } = await startSlackWithoutApp();
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const workspaceId = workspaceNamed(workspace.id);
    const people = createPeople();
    const expected = [
      ['admin', workspace.addUser({ name: 'Ada', admin: true })],
      ['admin', workspace.addUser({ name: 'Olga', owner: true })],
      ['member', workspace.addUser({ name: 'Ann' })],
      ['guest', workspace.addUser({ name: 'Gus', guest: 'multi' })],
      ['guest', workspace.addUser({ name: 'Gil', guest: 'single' })],
      ['deactivated', workspace.addUser({ name: 'Dora', admin: true, deleted: true })],
      ['outsider', workspace.addUser({ name: 'Bob', of: globex, admin: true })],
      ['outsider', workspace.addUser({ name: 'Bea', of: globex, deleted: true })],
      ['outsider', globex.addUser({ name: 'Unseen' })],
    ] as const;
    for (const [role, user] of expected) {
      const person = await people.lookUp(client, workspaceId, user.id);
      expect(person.role, user.realName).toBe(role);
    }
  });

  it('names them as Slack does: by the name they chose to display, otherwise their real name', async () => {
    const { workspace, client } = await startSlackWithoutApp();
    const people = createPeople();
    const nameOf = async ({ id }: { id: string }) =>
      (await people.lookUp(client, workspaceNamed(workspace.id), id)).name;
    const { addUser } = workspace;
    expect(await nameOf(addUser({ name: 'Ada Admin' }))).toBe('Ada Admin');
    expect(await nameOf(addUser({ name: 'Ann Author', displayName: 'annie' }))).toBe('annie');
  });

  it('makes colleagues in an organization members if it stands in for a workspace', async () => {
    const { slack, clientOf } = await startSlackWithoutApp();
    const org = { enterpriseId: 'E1', orgWideInstall: true };
    const sales = slack.addWorkspace({ name: 'Sales', ...org });
    const design = slack.addWorkspace({ name: 'Design', ...org });
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const dan = design.addUser({ name: 'Dan' });
    const ada = design.addUser({ name: 'Ada', admin: true });
    const chief = design.addUser({ name: 'Chief', orgAdmin: true });
    const bob = sales.addUser({ name: 'Bob', of: globex });
    const people = createPeople();
    const organization = asWorkspace(E1);
    expect(await people.lookUp(clientOf(design), organization, dan.id)).toMatchObject({
      role: 'member',
    });
    // A workspace's admin is none of the organization, nor the other way around.
    for (const [who, here, there] of [
      [ada, 'member', 'admin'],
      [chief, 'admin', 'member'],
    ] as const) {
      const roleIn = async (id: WorkspaceId) =>
        (await people.lookUp(clientOf(design), id, who.id)).role;
      expect(await roleIn(organization), who.realName).toBe(here);
      expect(await roleIn(workspaceNamed(design.id)), who.realName).toBe(there);
    }
    expect(await people.lookUp(clientOf(sales), organization, bob.id)).toMatchObject({
      role: 'outsider',
    });
  });
});
