import { describe, expect, it } from 'vitest';
import { asObject, type JsonObject } from '../stand-ins/slack/json.ts';
import type { User } from '../stand-ins/slack/state/model.ts';
import { issueTrigger } from '../stand-ins/slack/state/triggers.ts';
import { install, linkOf } from './browser.ts';
import { connect, submitKey } from './connecting.ts';
import { databaseOf, rowsOf } from './database-rows.ts';
import { submitUntil } from './form.ts';
import { startWorld, type World } from './world.ts';

/** An organization that installed the app and gave it to two workspaces. */
async function organization() {
  const world = await startWorld({ many: true });
  const org = { enterpriseId: 'E1', orgWideInstall: true, installed: false };
  const make = (name: string) => {
    const workspace = world.slack.addWorkspace({ name, ...org });
    const admin = workspace.addUser({ name: `${name} Admin`, admin: true });
    const member = workspace.addUser({ name: `${name} Member` });
    const channel = workspace.addChannel({ name: 'general', members: [admin, member] });
    // The same shape as a world with one workspace.
    return { workspace, admin, member, channel, as: { ...world, general: channel } };
  };
  const [design, sales] = [make('Design'), make('Sales')];
  const chief = design.workspace.addUser({ name: 'Chief', admin: true, orgAdmin: true });
  const done = await install(world, design.workspace, chief);
  for (const { workspace } of [design, sales]) workspace.changeAccess('team_access_granted');
  await world.slack.idle();
  return { ...world, design, sales, chief, done };
}

type Place = Awaited<ReturnType<typeof organization>>['design'];

/** Posts a card's link. @returns the title shown under it, once there is one */
async function unfurled(
  { slack, cardUrl }: World,
  { workspace, member, channel }: Place,
  id: string,
) {
  const message = await workspace.as(member).post(channel, cardUrl(id));
  await slack.until(() => message.attachments[0], 'the unfurl');
  return JSON.stringify(message.attachments);
}

/** The chief connects a default key for all workspaces. @returns it */
async function connectDefault(world: World, { workspace, channel }: Place, chief: User) {
  const head = workspace.as(chief);
  const key = world.service.issueKey();
  await head.command(channel, 'connect');
  await world.slack.until(() => head.sees().includes('Where to use it'), 'the choice');
  await head.fill({
    'API key': key,
    'Where to use it': ['In all of the organization’s workspaces that have no key of their own'],
  });
  await submitUntil(world, head, 'Connected');
  return key;
}

describe('an organization that installs the app', () => {
  it('is sent to where it chooses the workspaces', async () => {
    const { done } = await organization();
    expect(done.text).toContain('but not in any of its workspaces yet');
    expect(linkOf(done, 'Choose workspaces')).toContain('/manage/E1/');
  });

  it('serves each workspace with its own key, never with another’s', async () => {
    const { world, design, sales } = await organization();
    await connect(design.as, design.workspace.as(design.admin), world.service.issueKey());
    expect(await unfurled(world, design, 'card-1001')).toContain('card-1001');
    const link = await sales.workspace
      .as(sales.member)
      .post(sales.channel, world.cardUrl('card-1001'));
    const hints = () => [
      ...sales.workspace.ephemerals(sales.member),
      ...sales.workspace.directMessages(sales.member),
    ];
    await world.slack.until(() => hints()[0], 'the hint that no key is connected');
    expect(link.attachments).toEqual([]);
  });

  it('can have a default key, which a workspace’s own key overrides and only organization admins connect', async () => {
    const { world, design, sales, chief, service, slack } = await organization();
    const admin = design.workspace.as(design.admin);
    await submitKey(design.as, admin, service.issueKey(), async () => {
      expect(admin.sees()).not.toContain('Where to use it');
    });
    await slack.until(() => admin.sees().includes('Connected'), 'the connection');
    expect(await rowsOf(world, 'E1', ['api_keys'])).toBe(0);

    const shared = await connectDefault(world, design, chief);
    const callsWith = (key: string) =>
      service.calls({ operation: 'getCard' }).filter((call) => key.endsWith(call.keyEnding ?? '?'));
    await unfurled(world, sales, 'card-1001');
    expect(callsWith(shared)).toHaveLength(1);
    await unfurled(world, design, 'card-1002');
    expect(callsWith(shared)).toHaveLength(1);

    await sales.workspace.as(sales.admin).command(sales.channel, 'disconnect');
    await slack.until(() => sales.workspace.ephemerals(sales.admin)[0], 'the refusal');
    expect(sales.workspace.ephemerals(sales.admin)[0]?.text).toContain(
      'Only an organization admin can disconnect it',
    );
  });

  it('handles buttons with the key of the workspace they are pressed in', async () => {
    const { world, design, sales } = await organization();
    await connect(design.as, design.workspace.as(design.admin), world.service.issueKey());
    const key = world.service.issueKey();
    await connect(sales.as, sales.workspace.as(sales.admin), key);
    const me = sales.workspace.as(sales.member);
    const message = await me.post(sales.channel, world.cardUrl('card-1001'));
    await world.slack.until(() => message.attachments[0], 'the unfurl');
    await me.click({ message, text: 'Refresh' });
    const reads = () => world.service.calls({ operation: 'getCard' });
    await world.slack.until(() => reads().length === 2, 'the second reading');
    expect(reads().every(({ keyEnding }) => key.endsWith(keyEnding ?? '?'))).toBe(true);
  });

  it('can remove the app from one workspace with all its data, and give it back, which a late revocation doesn’t undo', async () => {
    const { world, design, sales } = await organization();
    for (const place of [design, sales]) {
      await connect(place.as, place.workspace.as(place.admin), world.service.issueKey());
    }
    const ofDesign = await rowsOf(world, design.workspace.id);
    sales.workspace.changeAccess('team_access_revoked');
    await world.slack.idle();
    const late = world.slack.deliveries.at(-1);
    await expect.poll(() => rowsOf(world, sales.workspace.id)).toBe(0);
    expect(await rowsOf(world, design.workspace.id)).toBeGreaterThanOrEqual(ofDesign);
    expect(await unfurled(world, design, 'card-1001')).toContain('card-1001');

    sales.workspace.changeAccess('team_access_granted');
    await connect(sales.as, sales.workspace.as(sales.admin), world.service.issueKey());
    const body = JSON.stringify({ ...late?.payload, event_id: 'Ev-late' });
    await world.slack.sendSigned(body, 'application/json');
    await expect.poll(() => world.logLines.join('')).toContain('a workspace still has the app');
    expect(await rowsOf(world, sales.workspace.id)).toBeGreaterThan(1);
  });

  it('can uninstall it, and all its data and its workspaces’ data is deleted', async () => {
    const { world, design, sales } = await organization();
    for (const place of [design, sales]) {
      await connect(place.as, place.workspace.as(place.admin), world.service.issueKey());
    }
    await install(world, world.acme, world.admin);
    design.workspace.uninstall();
    await world.slack.idle();
    for (const id of ['E1', design.workspace.id, sales.workspace.id]) {
      await expect.poll(() => rowsOf(world, id)).toBe(0);
    }
    expect(await rowsOf(world, world.acme.id)).toBeGreaterThan(0);
  });

  it('is administered by its own admins, also where Slack names no workspace', async () => {
    const { world, design, sales, chief, service, slack } = await organization();
    await connectDefault(world, design, chief);
    const stored = () =>
      Promise.all([
        databaseOf(world).selectFrom('api_keys').selectAll().execute(),
        databaseOf(world)
          .selectFrom('entries')
          .where('kind', 'in', ['workspace_settings', 'preset'])
          .selectAll()
          .execute(),
      ]);

    // What an admin of a workspace may do there…
    const { workspace, admin, channel } = sales;
    const me = workspace.as(admin);
    const genuine: JsonObject[] = [];
    const remember = () => genuine.push(slack.deliveries.at(-1)?.payload ?? {});
    await submitKey(sales.as, me, service.issueKey());
    remember();
    await slack.until(() => me.sees().includes('Connected'), 'the connection');
    await me.close({ all: true });
    await me.command(channel, 'settings');
    await slack.until(() => me.sees().includes('Preset for all channels'), 'the settings');
    await me.fill({ 'Guests and other companies': ['Let guests make requests and see cards'] });
    await me.submit();
    remember();
    await slack.until(() => me.sees().includes('Settings saved'), 'the saved settings');
    await me.close({ all: true });
    await me.command(channel, 'disconnect');
    remember();
    const question = await slack.until(() => workspace.ephemerals(admin)[0], 'the question');
    await me.click({ ephemeral: question, text: 'Disconnect' });
    remember();
    await expect.poll(async () => JSON.stringify(await stored())).toContain('"disconnected"');
    expect(genuine.map(({ type, command }) => type ?? command)).toEqual([
      'view_submission',
      'view_submission',
      '/design-request',
      'block_actions',
    ]);
    const before = await stored();

    // … is nothing that they may do to the organization.
    for (const [index, payload] of genuine.flatMap((one) => withoutWorkspace(one)).entries()) {
      const by = { state: slack.state, workspace, user: admin };
      const body = { ...payload, trigger_id: issueTrigger(by) };
      const fields = 'command' in body ? body : { payload: JSON.stringify(body) };
      const form = new URLSearchParams(fields as Record<string, string>);
      const answer = await slack.sendSigned(form.toString(), 'application/x-www-form-urlencoded');
      expect(answer.status, String(index)).toBe(200);
    }
    await slack.idle();
    expect(await stored()).toEqual(before);
  });
});

/** The same without the workspace, in the shapes in which Slack leaves it out. */
function withoutWorkspace({ team: _team, user, view, ...payload }: JsonObject): JsonObject[] {
  const nobody = { ...payload, enterprise_id: 'E1', is_enterprise_install: 'true', team_id: 'E1' };
  if ('command' in payload) return [nobody, { ...nobody, enterprise_id: '' }];
  const shown = view
    ? { view: { ...asObject(view), team_id: 'E1', app_installed_team_id: 'E1' } }
    : {};
  const [team, enterprise] = [{ id: 'E1' }, { id: 'E1' }];
  const done = { ...payload, ...shown, user: { ...asObject(user), team_id: 'E1' } };
  return [
    { ...done, team: null, enterprise, is_enterprise_install: true },
    { ...done, team, enterprise, is_enterprise_install: true },
    { ...done, team, enterprise: null, is_enterprise_install: true },
    { ...done, team, enterprise: null },
  ];
}
