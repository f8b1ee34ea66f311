import { expect, it } from 'vitest';
import { createDirectMessages } from '../../../src/slack/client/direct-messages.ts';
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
