import { expect, it } from 'vitest';
import { bytesIn } from '../store/sqlite-files.ts';
import { allow, openBrowser } from './browser.ts';
import { startWorld } from './world.ts';

const HOUR_MS = 3_600_000;

it('tokens and secrets from an installation appear in no log line, page, or unencrypted column, even after the tokens are renewed', async () => {
  let moment = Date.parse('2026-03-02T09:00:00Z');
  const { world, slack, acme, admin } = await startWorld({
    many: true,
    tokenRotation: true,
    now: () => new Date(moment),
    env: { LOG_LEVEL: 'trace' },
  });
  const browser = openBrowser(world);
  const back = await allow(world, browser, { workspace: acme, user: admin });
  const done = await browser.open(back);
  await slack.until(() => acme.directMessages(admin)[0], 'the greeting');
  moment += 11 * HOUR_MS;
  await world.restart();
  const exchanges = () => slack.apiCalls.filter(({ method }) => method === 'oauth.v2.access');
  await expect.poll(() => exchanges().length).toBe(2);
  await expect.poll(() => world.logLines.join('')).toContain('a token was renewed');
  slack.faults.add({ kind: 'error', error: 'invalid_refresh_token', method: 'oauth.v2.access' });
  moment += 11 * HOUR_MS;
  await world.restart();
  await expect.poll(() => world.logLines.join('')).toContain('reinstall the app');

  const secrets = [
    ...slack.state.tokens.keys(),
    ...exchanges().map(({ response }) => response?.refresh_token),
    slack.clientSecret,
    new URL(back).searchParams.get('code'),
    ...browser.cookies.values(),
  ].filter((secret) => secret !== undefined);
  expect(secrets.length).toBeGreaterThanOrEqual(7);
  const everything = [
    ...world.logLines,
    done.text,
    (await bytesIn(world.folder)).toString('latin1'),
  ].join('\n');
  for (const secret of secrets) expect(everything).not.toContain(String(secret));
});
