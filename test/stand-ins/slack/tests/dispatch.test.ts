import { expect, test } from 'vitest';
import { manifest } from './manifest.ts';
import { setUp } from './setting.ts';

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

test('an invalid manifest is refused at start', async () => {
  const { startSlack } = await import('../server.ts');
  await expect(startSlack({ manifest: { features: 7 } })).rejects.toThrow();
  const slack = await startSlack({ manifest: manifest() });
  await slack.close();
});
