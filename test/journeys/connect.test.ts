import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { hasField } from '../sandbox/complete-form.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { connect, submitKey } from './connecting.ts';
import { openForm, openFormFrom, submitUntil } from './form.ts';
import { slackCalls } from './links.ts';
import { it, startWorld, type Transport, type World } from './world.ts';

/** Everything that left the app or is on its disk. */
async function everythingWritten(world: World): Promise<string> {
  const files = await readdir(world.folder);
  const onDisk = await Promise.all(
    files.map((file) => readFile(join(world.folder, file), 'latin1')),
  );
  const toSlack = world.slack.apiCalls.map(({ args }) => JSON.stringify(args));
  return [...onDisk, ...toSlack, ...world.logLines].join('\n');
}

describe.each<Transport>(['http', 'socket'])('connecting over %s', (transport) => {
  it('checks the key, stores it, and shows only its last four characters', async () => {
    const world = await startWorld({ transport, connected: false });
    const { acme, admin, service, slack, ada, me } = world;
    await connect(world, ada, service.apiKey);
    expect(ada.sees()).toContain(`\`${service.apiKey.slice(-4)}\``);
    const told = await slack.until(() => acme.directMessages(admin)[0], 'a message');
    expect(textOfMessage(told)).toContain('Connected');
    expect(await everythingWritten(world)).not.toContain(service.apiKey);
    await openForm(world, me);
  });
});

describe('connecting', () => {
  it('is only for admins and owners', async () => {
    const { world, acme, general, service, slack, me } = await startWorld({ connected: false });
    const owner = acme.addUser({ name: 'Olga', owner: true });
    await me.command(general, 'connect');
    await slack.until(() => me.sees().includes('Only workspace admins'), 'a refusal');
    expect(hasField(me, 'API key')).toBe(false);
    await connect(world, acme.as(owner), service.apiKey);
  });

  it.each(['connect', 'settings'])(
    'tells %s in the modal that Slack didn’t say who is an admin',
    async (typed) => {
      const { acme, admin, general, slack, ada, logLines } = await startWorld();
      slack.faults.add({ method: 'users.info', kind: 'http', status: 500, times: 1 });
      await ada.command(general, typed);
      await slack.until(() => ada.sees().includes('Something unexpected'), 'words in the modal');
      const reference = /E-[0-9A-Z]{6}/.exec(ada.sees())?.[0] ?? 'none';
      expect(logLines.join('')).toContain(reference);
      await slack.idle();
      expect(acme.ephemerals(admin)).toEqual([]);
    },
  );

  it('is refused at submission to someone who is no longer an admin', async () => {
    const { world, admin, service, ada } = await startWorld({ connected: false });
    await openFormFrom(world, ada, 'connect', 'API key');
    admin.isAdmin = false;
    await ada.fill({ 'API key': service.apiKey });
    await submitUntil(world, ada, 'Only workspace admins');
    expect(service.calls()).toEqual([]);
  });

  it.each([['a key unknown to the service', 'wrong-key-123456', 'doesn’t accept this key']])(
    'stores nothing of %s and lets the person fix it',
    async (_name, key, words) => {
      const { world, service, slack, ada } = await startWorld({ connected: false });
      await submitKey(world, ada, key);
      await slack.until(() => ada.sees().includes(words), words);
      expect(await everythingWritten(world)).not.toContain(key);
      await ada.fill({ 'API key': service.apiKey });
      await submitUntil(world, ada, 'Connected');
    },
  );

  it('doesn’t draw the rejection of a first key over the result of a second one', async () => {
    const { world, service, slack, ada } = await startWorld({ connected: false });
    await submitKey(world, ada, 'wrong-key-123456');
    await slack.until(() => ada.sees().includes('doesn’t accept this key'), 'the refusal');
    await ada.fill({ 'API key': service.apiKey });
    await submitUntil(world, ada, 'Connected');
    const drawn = () => slackCalls(world, 'views.update').map(({ args }) => JSON.stringify(args));
    const isConnected = (view: string) => view.includes(':white_check_mark: Connected');
    await slack.until(() => drawn().filter(isConnected).length === 2, 'the second drawing');
    const since = drawn().slice(drawn().findIndex(isConnected));
    expect(since.filter((view) => view.includes('doesn’t accept this key'))).toEqual([]);
  });

  it('marks the field if the text can’t be a key', async () => {
    const { world, ada } = await startWorld({ connected: false });
    await openFormFrom(world, ada, 'connect', 'API key');
    await ada.fill({ 'API key': 'two words' });
    expect((await ada.submit()).errors['API key']).toContain('no spaces');
    await ada.fill({ 'API key': 'schlüssel' });
    expect((await ada.submit()).errors['API key']).toContain('accented letters');
  });

  it.each([
    [
      'is down',
      { kind: 'status' as const, status: 503, executed: false },
      'can’t reach your design service',
    ],
    ['is busy', { kind: 'rate-limited' as const, retryAfter: 5 }, 'is busy'],
    ['answers with an HTML page', { kind: 'html' as const }, 'DESIGN_API_BASE_URL'],
  ])('says that the service %s, and keeps the previous key', async (_name, fault, words) => {
    const { world, service, slack, ada } = await startWorld();
    const remove = service.faults.add({ operation: 'listRequestTypes', ...fault });
    await submitKey(world, ada, service.issueKey());
    await slack.until(() => ada.sees().includes(words), words);
    expect(ada.sees()).toContain(`\`${service.apiKey.slice(-4)}\``);
    remove();
  });

  it('replaces the key: every later call uses the new one', async () => {
    const { world, general, service, ada, me } = await startWorld();
    const newKey = service.issueKey();
    await connect(world, ada, newKey);
    service.ledger.length = 0;
    await me.command(general, 'tags');
    await expect.poll(() => service.calls().length).toBeGreaterThan(0);
    const endings = new Set(service.calls().map(({ keyEnding }) => keyEnding));
    expect([...endings]).toEqual([newKey.slice(-4)]);
  });
});

describe('disconnecting', () => {
  it('asks for confirmation, deletes the key, and stays disconnected after a restart', async () => {
    const { world, acme, admin, general, service, slack, ada, me, logLines } = await startWorld();
    await ada.command(general, 'disconnect');
    const question = await slack.until(() => acme.ephemerals(admin).at(-1), 'the question');
    await ada.click({ ephemeral: question, text: 'Disconnect' });
    await slack.until(() =>
      acme.ephemerals(admin).some(({ text }) => text.startsWith('Disconnected')),
    );
    // DESIGN_API_KEY is still set, but only counts at the first start, and the log says so.
    const ignored = () => logLines.join('').split('DESIGN_API_KEY is ignored').length - 1;
    expect(ignored()).toBe(0);
    await world.restart();
    expect(ignored()).toBe(1);
    service.ledger.length = 0;
    await me.command(general);
    await slack.until(() => me.sees().includes('isn’t connected'), 'the notice');
    expect(service.calls()).toEqual([]);
  });

  it('asks again if another key was connected since', async () => {
    const { world, acme, admin, general, service, slack, ada, me } = await startWorld();
    await ada.command(general, 'disconnect');
    const old = await slack.until(() => acme.ephemerals(admin).at(-1), 'the question');
    const newKey = service.issueKey();
    await connect(world, acme.as(acme.addUser({ name: 'Olga', owner: true })), newKey);
    await ada.click({ ephemeral: old, text: 'Disconnect' });
    const question = await slack.until(
      () => acme.ephemerals(admin).find(({ text }) => text.includes(newKey.slice(-4))),
      'the question about the new key',
    );
    expect(JSON.stringify(question)).not.toContain(newKey);
    await openForm(world, me);
    await ada.click({ ephemeral: question, text: 'Disconnect' });
    await slack.until(() =>
      acme.ephemerals(admin).some(({ text }) => text.startsWith('Disconnected')),
    );
  });

  it('is only for admins, even from the button', async () => {
    const { acme, admin, ann, general, slack, ada, me, logLines } = await startWorld();
    await me.command(general, 'disconnect');
    const refusal = await slack.until(() => acme.ephemerals(ann).at(-1), 'a refusal');
    expect(refusal.text).toContain('Only workspace admins');
    await ada.command(general, 'disconnect');
    const question = await slack.until(() => acme.ephemerals(admin).at(-1), 'the question');
    await me.click({ ephemeral: { ...question, userId: ann.id }, text: 'Disconnect' });
    const again = await slack.until(() => acme.ephemerals(ann)[1], 'another refusal');
    expect(again.text).toContain('Only workspace admins');
    expect(logLines.join()).not.toContain('an API key was disconnected');
  });
});
