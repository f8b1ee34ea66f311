import { expect, it } from 'vitest';
import { installAndConnect } from '../isolation/connect-tenants.ts';
import { openForm } from './form.ts';
import { slackCalls } from './links.ts';
import { listsRead } from './lists-read.ts';
import { startWorld } from './world.ts';

it('the first form after a restart opens complete in each workspace, and calls the service for no list that was read lately', async () => {
  const { world, acme, admin, general, service, slack } = await startWorld({ many: true });
  const other = slack.addWorkspace({ name: 'Other', installed: false });
  const olga = other.addUser({ name: 'Olga', admin: true });
  const lobby = other.addChannel({ name: 'lobby', members: [olga] });
  const places = [
    { workspace: acme, by: admin, channel: general },
    { workspace: other, by: olga, channel: lobby },
  ];
  for (const place of places) await installAndConnect(world, { ...place, key: service.issueKey() });
  await listsRead(world, 2);

  const callsBefore = service.calls().length;
  await world.restart({ listsKept: true });
  for (const { workspace, by, channel } of places) {
    const person = workspace.as(by);
    // Someone Slack hasn't told the new process about gets a loading view, whatever is in memory.
    await person.command(channel, 'help');
    await slack.until(() => workspace.ephemerals(by)[0], 'the help');
    await openForm(world, person, '', channel);
  }
  const opened = slackCalls(world, 'views.open').slice(-2);
  for (const { args } of opened) expect(JSON.stringify(args)).toContain('requestType');
  expect(service.calls()).toHaveLength(callsBefore);
});
