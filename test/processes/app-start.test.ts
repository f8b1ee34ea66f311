import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { installApp } from '../sandbox/install-app.ts';
import { logOf, openSetting, type Setting, startApp } from './app.ts';
import { type Entry, runCommand, runEntry } from './entry.ts';

const STACK_TRACE = /\n\s+at /;

/** What it printed on standard error, without a stack trace. */
async function refusalOf(entry: Entry): Promise<string> {
  expect(await entry.ended).toEqual({ code: 1, signal: null });
  expect(entry.stderr()).not.toMatch(STACK_TRACE);
  return entry.stderr();
}

describe('starting the app', { timeout: 60_000 }, () => {
  it('without settings names every missing one and how to get it, and exits with 1', async () => {
    const entry = runEntry('dist/main.js');
    const words = await refusalOf(entry);
    for (const name of [
      'SLACK_BOT_TOKEN',
      'SLACK_SIGNING_SECRET',
      'DESIGN_API_BASE_URL',
      'CARD_URL_TEMPLATE',
      'ENCRYPTION_KEYS',
    ]) {
      expect(words).toMatch(new RegExp(`  ${name} is missing.*\n    \\S`));
    }
    expect(words).toMatch(/^Design Request can't start: 5 settings need attention\.\n/);
    expect(entry.stdout()).toBe('');
  });

  it('with a bot token that Slack rejects says so, and exits with 1', async () => {
    const { env } = await openSetting();
    const entry = runEntry('dist/main.js', {
      env: { ...env, SLACK_BOT_TOKEN: 'xoxb-wrong-token' },
    });
    const words = await refusalOf(entry);
    expect(words).toMatch(/^Slack refused SLACK_BOT_TOKEN \(invalid_auth\)\. Copy it again/);
    expect(words + entry.stdout()).not.toContain('xoxb-wrong-token');
  });

  it('on a port in use says so, and exits with 1', async () => {
    const { env } = await openSetting();
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    const entry = runEntry('dist/main.js', { env: { ...env, PORT: String(port) } });
    expect(await refusalOf(entry)).toContain(`Port ${port} is in use; \`lsof`);
    expect(entry.stderr()).toContain('set PORT to a free port.');
  });

  it.each([
    [
      // An address reserved for documentation (RFC 5737), which no machine has.
      { HOST: '192.0.2.1' },
      /^HOST isn't an address of this machine\./,
    ],
    [
      { DATABASE_URL: 'sqlite:/dev/null/app.db' },
      /The database \/dev\/null\/app\.db in DATABASE_URL can't be opened: /,
    ],
  ])('with %o says what is wrong, and exits with 1', async (wrong, words) => {
    const { env } = await openSetting();
    expect(await refusalOf(runEntry('dist/main.js', { env: { ...env, ...wrong } }))).toMatch(words);
  });

  it('waits for a Slack that can’t be reached, and meanwhile stops at once when asked to', async () => {
    const { stage, env } = await openSetting();
    await stage.slack.close();
    const entry = runEntry('dist/main.js', { env });
    await entry.until(
      () =>
        logOf(entry).find(({ msg }) => /^Slack can't be reached \(ECONNREFUSED\)/.test(`${msg}`)),
      'that Slack can’t be reached',
    );
    entry.kill('SIGTERM');
    expect(await entry.ended).toEqual({ code: 0, signal: null });
  });

  it('without an API key says how to connect the workspace, and measures its process', async () => {
    const { env } = await openSetting();
    const entry = runEntry('dist/main.js', { env: { ...env, DESIGN_API_KEY: '' } });
    const ready = await entry.until(
      () => logOf(entry).find(({ msg }) => msg === 'ready'),
      'that it is ready',
    );
    expect(String(ready.next)).toMatch(/^not connected yet: .*\/design-request connect/);
    expect(ready.version).toBe(VERSION);
    const metrics = await (await fetch(`${ready.url}/metrics`)).text();
    expect(metrics).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(metrics).toMatch(/^design_request_requests\{state="queued"\} 0$/m);
  });

  it('lets workspaces install the app through OAuth', async () => {
    const { env, stage } = await openSetting({ many: true });
    const entry = runEntry('dist/main.js', { env });
    const { url } = await entry.until(
      () => logOf(entry).find(({ msg }) => msg === 'ready'),
      'that it is ready',
    );
    const { slack, acme: workspace, ada: admin } = stage;
    await installApp(slack, { appUrl: String(url), workspace, admin });
    await entry.until(
      () => logOf(entry).find(({ msg }) => msg === 'the app was installed'),
      'the installation',
    );
  });

  it.each([
    ['an exception', 'throw error'],
    ['a rejection', 'Promise.reject(error)'],
  ])('exits with 1 after %s that nothing handles, and logs it without secrets', async (_, code) => {
    const setting = await openSetting();
    const entry = await startApp(setting, { preload: failing(setting, code) });
    entry.kill('SIGUSR2');
    expect(await entry.ended).toEqual({ code: 1, signal: null });
    expect(logOf(entry).find(({ level }) => level === 'fatal')).toMatchObject({
      msg: 'unhandled error',
      err: { message: expect.stringMatching(/^unexpected/) },
    });
    for (const secret of secretsOf(setting)) expect(writtenBy(entry)).not.toContain(secret);
  });

  it('prints no secret that hangs on an error before the log exists, or that a setting names wrongly', async () => {
    const setting = await openSetting();
    const { stage, env } = setting;
    stage.slack.faults.add({ kind: 'hang', method: 'auth.test' });
    const starting = runEntry('dist/main.js', {
      env,
      preload: failing(setting, 'throw error', false),
    });
    await stage.slack.until(() => stage.slack.apiCalls[0], 'its first call');
    starting.kill('SIGUSR2');
    const all = secretsOf(setting).join(' ');
    const wrong = Object.fromEntries(Object.keys(env).map((name) => [name, `${all}, ${name}`]));
    const entries = [
      starting,
      runEntry('dist/main.js', { env: wrong }),
      runEntry('dist/main.js', { env: { ...env, ENCRYPTION_KEYS: all } }),
      runCommand('migrate', { env: wrong }),
      runCommand('manifest', { env: wrong }),
    ];
    for (const entry of entries) {
      expect((await entry.ended).code).not.toBe(0);
      for (const secret of secretsOf(setting)) expect(writtenBy(entry)).not.toContain(secret);
    }
    expect(starting.stderr()).toContain('unexpected');
  });
});

const writtenBy = (entry: Entry) => entry.stdout() + entry.stderr();

function secretsOf({ stage, env }: Setting): string[] {
  const key = env.ENCRYPTION_KEYS?.split(':')[1] ?? '';
  return [stage.acme.botToken, stage.slack.signingSecret, stage.service.apiKey, key];
}

/** Fails at SIGUSR2 with secrets on the error, where libraries attach their requests, and maybe in its message. */
function failing(setting: Setting, code: string, isInMessage = true): string {
  const encoded = Buffer.from(JSON.stringify(secretsOf(setting))).toString('base64');
  return `process.on('SIGUSR2', () => {
    const secrets = JSON.parse(Buffer.from('${encoded}', 'base64'));
    const configured = secrets.filter((_, index) => index !== 2);
    const headers = { 'x-api-key': secrets.join(' ') };
    const words = ${isInMessage ? "'unexpected ' + configured.join(' ')" : "'unexpected'"};
    const cause = Object.assign(new Error(words), { headers });
    const error = Object.assign(new Error(words, { cause }), { options: { headers } });
    ${code};
  })`;
}
