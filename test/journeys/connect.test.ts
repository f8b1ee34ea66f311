import { describe, expect } from 'vitest';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { bytesIn } from '../store/sqlite-files.ts';
import { connect, submitKey } from './connecting.ts';
import { openForm, openFormFrom, submitUntil, untilSees } from './form.ts';
import { answerTo, slackCalls } from './links.ts';
import { it, startWorld } from './world.ts';

it('connecting checks the key, stores it, and shows only its last four characters', async () => {
  const { world, acme, admin, service, slack, ada, me } = await startWorld({ connected: false });
  await connect(world, ada, service.apiKey);
  expect(ada.sees()).toContain(`\`${service.apiKey.slice(-4)}\``);
  const told = await slack.until(() => acme.directMessages(admin)[0], 'a message');
  expect(textOfMessage(told)).toContain('Connected');
  // The world looks for the whole key everywhere.
  await openForm(world, me);
});

describe('connecting', () => {
  it('says in the modal that Slack didn’t say who is an admin', async () => {
    const { world, acme, admin, general, slack, ada, logLines } = await startWorld();
    slack.faults.add({ method: 'users.info', kind: 'http', status: 500, times: 1 });
    await ada.command(general, 'connect');
    await untilSees(world, ada, 'Something unexpected');
    const reference = /E-[0-9A-Z]{6}/.exec(ada.sees())?.[0] ?? 'none';
    expect(logLines.join('')).toContain(reference);
    await slack.idle();
    expect(acme.ephemerals(admin)).toEqual([]);
  });

  it('stores nothing of a key that the service rejects, and doesn’t draw that over a second one', async () => {
    const { world, service, slack, ada, logLines } = await startWorld({ connected: false });
    const wrong = 'wrong-key-123456';
    await submitKey(world, ada, wrong);
    await untilSees(world, ada, 'doesn’t accept this key');
    const written = [await bytesIn(world.folder), ...logLines, JSON.stringify(slack.apiCalls)];
    expect(written.join('')).not.toContain(wrong);
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

  it.each<[string, Fault, string]>([
    ['is busy', { kind: 'rate-limited', retryAfter: 5 }, 'is busy'],
    ['answers with an HTML page', { kind: 'html' }, 'DESIGN_API_BASE_URL'],
  ])('says that the service %s, and keeps the previous key', async (_name, fault, words) => {
    const { world, service, ada } = await startWorld();
    service.faults.add({ operation: 'listRequestTypes', ...fault });
    await submitKey(world, ada, service.issueKey());
    await untilSees(world, ada, words);
    expect(ada.sees()).toContain(`\`${service.apiKey.slice(-4)}\``);
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
    const { world, general, service, slack, ada, me, logLines } = await startWorld();
    const question = await answerTo(world, ada, 'disconnect');
    await ada.click({ ephemeral: question, text: 'Disconnect' });
    await slack.until(() => question.text.startsWith('Disconnected'), 'the answer');
    // DESIGN_API_KEY is still set, but only counts at the first start, and the log says so.
    const ignored = () => logLines.join('').split('DESIGN_API_KEY is ignored').length - 1;
    expect(ignored()).toBe(0);
    await world.restart();
    expect(ignored()).toBe(1);
    service.ledger.length = 0;
    await me.command(general);
    await untilSees(world, me, 'isn’t connected');
    expect(service.calls()).toEqual([]);
  });

  it('asks again if another key was connected since', async () => {
    const { world, acme, service, slack, ada, me } = await startWorld();
    const question = await answerTo(world, ada, 'disconnect');
    const newKey = service.issueKey();
    await connect(world, acme.as(acme.addUser({ name: 'Olga', owner: true })), newKey);
    await ada.click({ ephemeral: question, text: 'Disconnect' });
    await slack.until(() => question.text.includes(newKey.slice(-4)), 'that about the new key');
    await openForm(world, me);
    await ada.click({ ephemeral: question, text: 'Disconnect' });
    await slack.until(() => question.text.startsWith('Disconnected'), 'the answer');
  });
});
