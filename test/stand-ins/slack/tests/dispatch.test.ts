import { expect, test } from 'vitest';
import { manifest } from './manifest.ts';
import { setUp } from './setting.ts';

const CARD = 'https://app.example.com/card/7';

test('a command marks up people, channels, and URLs if the manifest requests it', async () => {
  const { app, person, marketing, ann } = await setUp({ shouldEscape: true });
  await person.command(
    marketing,
    'A & B for @ann in #marketing , not in #other: https://a.example/?b&c',
  );
  expect(app.heard[0]?.payload.text).toBe(
    `A &amp; B for <@${ann.id}|ann> in <#${marketing.id}|marketing> , not in #other: <https://a.example/?b&amp;c>`,
  );
});

test('a private channel is not named in a command', async () => {
  const { app, person, workspace, ann } = await setUp();
  const secret = workspace.addChannel({ name: 'secret', kind: 'private', members: [ann] });
  await person.command(secret);
  expect(app.heard[0]?.payload.channel_name).toBe('privategroup');
});

test('an answer with blocks that Slack refuses is not shown', async () => {
  const { app, person, marketing, workspace, ann } = await setUp();
  app.answer(() => ({ json: { blocks: [{ type: 'section' }] } }));
  expect(await person.command(marketing)).toMatchObject({ error: 'invalid_response' });
  expect(workspace.ephemerals(ann)).toEqual([]);
});

test('a failed command is reported to the person and never retried', async () => {
  const { app, person, marketing, slack } = await setUp();
  app.answer(() => ({ status: 500 }));
  const result = await person.command(marketing);
  await slack.idle();
  expect(result).toMatchObject({ acknowledged: false, status: 500, error: 'dispatch_failed' });
  expect(app.heard).toHaveLength(1);
});

test('a command that isn’t answered within three seconds times out', async () => {
  const { app, person, marketing } = await setUp();
  app.answer(() => ({ never: true }));
  const result = await person.command(marketing);
  expect(result.error).toBe('operation_timeout');
  expect(result.ms).toBeGreaterThanOrEqual(2990);
  expect(app.heard).toHaveLength(1);
});

test('a command missing from the manifest is unknown', async () => {
  const { person, marketing } = await setUp();
  await expect(person.command(marketing, '', '/other')).rejects.toThrow('not a valid command');
});

test('a command needs the scope and the installation', async () => {
  const scopeless = await setUp({ withoutScopes: ['commands'] });
  await expect(scopeless.person.command(scopeless.marketing)).rejects.toThrow('not a valid');
  const gone = await setUp();
  gone.workspace.uninstall();
  await expect(gone.person.command(gone.marketing)).rejects.toThrow('not a valid');
});

test('a failed event is retried three times, numbered, with the reason and a new signature', async () => {
  const { app, person, marketing, slack } = await setUp();
  app.answer(() => ({ status: 503 }));
  await person.post(marketing, CARD);
  await slack.idle();
  expect(app.heard.map(({ headers }) => headers['x-slack-retry-num'])).toEqual([
    undefined,
    '1',
    '2',
    '3',
  ]);
  expect(app.heard[1]?.headers['x-slack-retry-reason']).toBe('http_error');
  expect(app.heard.every(({ signatureHolds }) => signatureHolds)).toBe(true);
  expect(new Set(app.heard.map(({ payload }) => payload.event_id)).size).toBe(1);
  expect(slack.deliveries[0]).toMatchObject({ acknowledged: false, settled: true });
});

test('retries stop at the first acknowledgment', async () => {
  const { app, person, marketing, slack } = await setUp();
  app.answer(() => ({ status: app.heard.length === 1 ? 500 : 200 }));
  await person.post(marketing, CARD);
  await slack.idle();
  expect(app.heard).toHaveLength(2);
  expect(slack.deliveries[0]).toMatchObject({ acknowledged: true });
});

test('a slow event is retried with http_timeout', async () => {
  const { app, person, marketing, slack } = await setUp({}, { ackTimeoutMs: 40 });
  app.answer(() => (app.heard.length === 1 ? { never: true } : {}));
  await person.post(marketing, CARD);
  await slack.idle();
  expect(app.heard[1]?.headers['x-slack-retry-reason']).toBe('http_timeout');
});

test('an app that can’t be reached is retried', async () => {
  const { app, person, marketing, slack } = await setUp();
  await app.close();
  await person.post(marketing, CARD);
  await slack.idle();
  expect(slack.deliveries[0]?.attempts.map(({ error }) => error)).toEqual(
    Array(4).fill('connection_failed'),
  );
});

test('an invalid manifest is refused at start', async () => {
  const { startSlack } = await import('../server.ts');
  await expect(startSlack({ manifest: { features: 7 } })).rejects.toThrow();
  const slack = await startSlack({ manifest: manifest() });
  await slack.close();
});
