import { createServer } from 'node:http';
import { expect } from 'vitest';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import { it, startWorld } from './world.ts';

const log = createLog({ level: 'silent' });

/** A start that takes longer than this, in ms, is waiting for a lock left by an earlier one. */
const LOCKED_OUT_AFTER_MS = 10_000;

it('a failed start closes what it opened, so the next one finds nothing locked', {
  timeout: LOCKED_OUT_AFTER_MS,
}, async () => {
  const { world, slack, config } = await startWorld();
  await world.app.stop();
  const { port, host } = { host: '127.0.0.1', port: Number(new URL(slack.apiUrl).port) };
  const taken = startApp({ ...config, server: { host, port } }, { log });
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });

  const refused = { ...config.slack, access: { kind: 'token', botToken: 'xoxb-1' } as const };
  const unauthorized = startApp({ ...config, slack: refused }, { log });
  await expect(unauthorized).rejects.toThrow('SLACK_BOT_TOKEN');

  world.app = await startApp(config, { log });
  expect((await fetch(`${world.app.url}/readyz`)).status).toBe(200);
});

it('a stopped app leaves nothing listening', async ({ world }) => {
  const port = Number(new URL(world.app.url).port);
  await world.app.stop();
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  server.close();
});
