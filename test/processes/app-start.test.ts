import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { installApp } from '../sandbox/install-app.ts';
import { listen } from '../service/local-server.ts';
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
  it('with a setting that doesn’t work says what is wrong, and exits with 1', async () => {
    const { env } = await openSetting();
    const port = await listen(createServer());
    const refusals: [Record<string, string>, RegExp][] = [
      [
        { SLACK_SIGNING_SECRET: '' },
        /^Design Request can't start: 1 setting needs attention\.\n\n {2}SLACK_SIGNING_SECRET is missing.*\n {4}\S/,
      ],
      [
        { SLACK_BOT_TOKEN: 'xoxb-wrong-token' },
        /^Slack refused SLACK_BOT_TOKEN \(invalid_auth\)\. Copy it again/,
      ],
      [
        { PORT: String(port) },
        new RegExp(`Port ${port} is in use; \`lsof.*set PORT to a free port\\.`),
      ],
      // An address reserved for documentation (RFC 5737), which no machine has.
      [{ HOST: '192.0.2.1' }, /^HOST isn't an address of this machine\./],
      [
        { DATABASE_URL: 'sqlite:/dev/null/app.db' },
        /The database \/dev\/null\/app\.db in DATABASE_URL can't be opened: /,
      ],
    ];
    for (const [wrong, words] of refusals) {
      const entry = runEntry('dist/main.js', { env: { ...env, ...wrong } });
      expect(await refusalOf(entry)).toMatch(words);
      expect(writtenBy(entry)).not.toContain('xoxb-wrong-token');
    }
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

  it('says how to connect the workspace, measures its process, and logs what cheap checks find; after an exception that nothing handles, it exits with 1', async () => {
    const setting = await openSetting();
    const { stage, env } = setting;
    Object.assign(env, { DESIGN_API_KEY: '', METRICS_TOKEN: 'hunter2' });
    const token = stage.slack.state.tokens.get(stage.acme.botToken);
    if (token) token.scopes = token.scopes.filter((scope) => scope !== 'groups:read');
    const entry = await startApp(setting, { preload: failing(setting, 'throw error') });
    const ready = logOf(entry).find(({ msg }) => msg === 'ready');
    expect(String(ready?.next)).toMatch(/^not connected yet: .*\/design-request connect/);
    expect(ready?.version).toBe(VERSION);
    const headers = { authorization: 'Bearer hunter2' };
    const metrics = await (await fetch(`${ready?.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/^process_resident_memory_bytes [1-9]/m);
    expect(metrics).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(metrics).toMatch(/^design_request_requests\{state="queued"\} 0$/m);

    const found = (check: string) =>
      entry.until(() => logOf(entry).find((line) => line.check === check), `what ${check} found`);
    expect(await found('secret-length')).toMatchObject({
      level: 'warn',
      fix: expect.stringContaining('openssl'),
    });
    expect(await found('slack-scopes')).toMatchObject({
      level: 'warn',
      msg: 'The installation lacks scopes: groups:read.',
      fix: expect.stringContaining('install the app again'),
    });
    await endsWithoutSecrets(entry, setting);
  });

  it('lets workspaces install the app through OAuth; after a rejection that nothing handles, it exits with 1', async () => {
    const setting = await openSetting({ many: true });
    const { slack, acme: workspace, ada: admin } = setting.stage;
    const preload = failing(setting, 'Promise.reject(error)');
    const entry = await startApp(setting, { preload });
    const ready = logOf(entry).find(({ msg }) => msg === 'ready');
    await installApp(slack, { appUrl: String(ready?.url), workspace, admin });
    await entry.until(
      () => logOf(entry).find(({ msg }) => msg === 'the app was installed'),
      'the installation',
    );
    await endsWithoutSecrets(entry, setting);
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

async function endsWithoutSecrets(entry: Entry, setting: Setting): Promise<void> {
  entry.kill('SIGUSR2');
  expect(await entry.ended).toEqual({ code: 1, signal: null });
  expect(logOf(entry).find(({ level }) => level === 'fatal')).toMatchObject({
    msg: 'unhandled error',
    err: { message: expect.stringMatching(/^unexpected/) },
  });
  for (const secret of secretsOf(setting)) expect(writtenBy(entry)).not.toContain(secret);
}

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
