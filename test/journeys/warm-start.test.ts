import { expect, it } from 'vitest';
import { install } from './browser.ts';
import { connect } from './connecting.ts';
import { openForm } from './form.ts';
import { slackCalls } from './links.ts';
import { listsRead } from './lists-read.ts';
import { startWorld } from './world.ts';

it('the first form after a restart opens complete in each of many workspaces', async () => {
  const world = await startWorld({ many: true });
  const { acme, admin, slack, service } = world;
  const other = slack.addWorkspace({ name: 'Other', installed: false });
  const olga = other.addUser({ name: 'Olga', admin: true });
  const lobby = other.addChannel({ name: 'lobby', members: [olga] });
  await install(world, acme, admin);
  await connect(world, acme.as(admin), service.issueKey());
  await install(world, other, olga);
  await connect({ ...world, general: lobby }, other.as(olga), service.issueKey());
  await listsRead(world, 2);

  await world.restart();
  await listsRead(world, 2);
  const callsWarm = service.calls().length;
  await acme.as(admin).close({ all: true });
  await openForm(world, acme.as(admin));
  await other.as(olga).close({ all: true });
  await openForm(world, other.as(olga), '', lobby);
  const opened = slackCalls(world, 'views.open').slice(-2);
  for (const { args } of opened) expect(JSON.stringify(args)).toContain('requestType');
  expect(service.calls()).toHaveLength(callsWarm);
});
