import { expect, it } from 'vitest';
import { createDirectMessages, LAST_CHANNEL } from '../../../src/slack/client/direct-messages.ts';
import { createEntries } from '../../../src/store/entries.ts';
import { workspaceNamed } from '../../installations/ids.ts';
import { temporaryDatabase } from '../../store/sqlite-files.ts';
import { at } from '../../store/stores-under-test.ts';
import { startSlackWithoutApp } from '../slack-without-app.ts';

it('a refused message is an error, to be retried, if the database can’t say where else to show it', async () => {
  const { slack, workspace, client, log } = await startSlackWithoutApp();
  slack.state.manifest.messagesTab = false;
  const { id: userId } = workspace.addUser({ name: 'Ann' });
  const to = { workspaceId: workspaceNamed(workspace.id), userId };
  const { db } = await temporaryDatabase();
  const { send } = createDirectMessages({ entries: createEntries(db), now: () => at(0), log });
  expect(await send(client, to, { text: 'Done' })).toEqual({ isDelivered: false });
  await db.schema.dropTable('entries').execute();
  await expect(send(client, to, { text: 'Done' })).rejects.toThrow('no such table');
});

it('stores where someone used the app once a day, and at once if it was elsewhere', async () => {
  const { workspace, log } = await startSlackWithoutApp();
  const entries = createEntries((await temporaryDatabase()).db);
  let minutes = 0;
  const { rememberUse } = createDirectMessages({ entries, now: () => at(minutes * 60), log });
  const [workspaceId, userId] = [workspaceNamed(workspace.id), 'U1'];
  const use = async (minute: number, channelId: string) => {
    minutes = minute;
    await rememberUse({ workspaceId, userId, channelId, respond: undefined });
    const stored = await entries.get({ kind: LAST_CHANNEL, owner: workspaceId, name: userId });
    return [stored?.value, stored?.changedAt];
  };
  const day = 24 * 60;
  expect(await use(0, 'C1')).toEqual(['C1', at(0)]);
  expect(await use(day, 'C1')).toEqual(['C1', at(0)]);
  expect(await use(day + 1, 'C1')).toEqual(['C1', at((day + 1) * 60)]);
  expect(await use(day + 2, 'C2')).toEqual(['C2', at((day + 2) * 60)]);
});
