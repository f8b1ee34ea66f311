import { expect, it } from 'vitest';
import { signedRequest } from '../stand-ins/slack/signing.ts';
import { scrape } from './metrics.ts';
import { startWorld, type World } from './world.ts';

const ANOTHER_SECRET = '0123456789abcdef0123456789abcdef';
const MINUTE_MS = 60_000;

async function worldWithClock(env: Record<string, string> = {}) {
  const clock = { now: Date.now() };
  const world = await startWorld({ env, now: () => new Date(clock.now), retryDelaysMs: [0] });
  return { ...world, clock };
}

const warnings = ({ logLines }: World) =>
  logLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('refused'));

const post = ({ app }: World, headers: Record<string, string>, body: string) =>
  fetch(`${app.url}/slack/events`, { method: 'POST', headers, body });

it('a wrong signing secret is logged once a minute, with how many deliveries it refused', async () => {
  const { world, clock, app, me } = await worldWithClock({ SLACK_SIGNING_SECRET: ANOTHER_SECRET });
  const type = () => me.command(world.general).catch(() => undefined);
  await type();
  await type();
  expect(warnings(world)).toMatchObject([
    { level: 'warn', refused: 1, msg: expect.stringContaining('SLACK_SIGNING_SECRET') },
  ]);
  clock.now += MINUTE_MS;
  await type();
  expect(warnings(world)).toMatchObject([{ refused: 1 }, { refused: 2, accepted: 0 }]);
  const { value } = await scrape(app);
  expect(value('deliveries_refused_total', { reason: 'signature' })).toBe(3);
});

it('a wrong clock is told apart from a wrong secret', async () => {
  const { world, clock } = await worldWithClock();
  const body = '{}';
  const at = new Date(clock.now - 10 * MINUTE_MS);
  const { headers } = signedRequest(world.slack.signingSecret, body, at, 'application/json');
  expect((await post(world, headers, body)).status).toBe(401);
  expect(warnings(world)).toMatchObject([{ msg: expect.stringContaining('clock') }]);
  const { value } = await scrape(world.app);
  expect(value('deliveries_refused_total', { reason: 'timestamp' })).toBe(1);
});

it('what isn’t signed at all, or is too large, is counted but not logged', async () => {
  const { world } = await worldWithClock();
  expect((await post(world, {}, '{}')).status).toBe(401);
  expect((await post(world, {}, 'x'.repeat(4_000_000))).status).toBe(413);
  expect(warnings(world)).toEqual([]);
  const { value } = await scrape(world.app);
  expect(value('deliveries_refused_total', { reason: 'unsigned' })).toBe(1);
  expect(value('deliveries_refused_total', { reason: 'too_large' })).toBe(1);
});
