import { expect } from 'vitest';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import { slackCalls } from './links.ts';
import { it, startWorld, type World } from './world.ts';

const log = createLog({ level: 'silent' });
const readiness = async ({ app }: World) => (await fetch(`${app.url}/readyz`)).status;

/** A start that takes longer than this, in ms, is waiting for a lock left by an earlier one. */
const LOCKED_OUT_AFTER_MS = 10_000;

it('a failed start closes what it opened, so the next one finds nothing locked', {
  timeout: LOCKED_OUT_AFTER_MS,
}, async () => {
  const { world, slack, config } = await startWorld();
  await world.app.stop();
  await expect(readiness(world)).rejects.toThrow();
  const { port, host } = { host: '127.0.0.1', port: Number(new URL(slack.apiUrl).port) };
  const taken = startApp({ ...config, server: { host, port } }, { log });
  await expect(taken).rejects.toMatchObject({ code: 'EADDRINUSE' });

  const refused = { ...config.slack, access: { kind: 'token', botToken: 'xoxb-1' } as const };
  const unauthorized = startApp({ ...config, slack: refused }, { log });
  await expect(unauthorized).rejects.toThrow('SLACK_BOT_TOKEN');

  world.app = await startApp(config, { log });
  expect(await readiness(world)).toBe(200);
});

it('the app starts while a proxy answers in Slack’s place, and is ready later', async () => {
  const { world, slack, config } = await startWorld();
  await world.app.stop();
  slack.faults.add({ method: 'auth.test', times: 2, kind: 'http', status: 200 });
  world.app = await startApp(config, { log });
  await expect.poll(() => readiness(world)).toBe(200);
  expect(slackCalls(world, 'auth.test').length).toBeGreaterThanOrEqual(3);
});
