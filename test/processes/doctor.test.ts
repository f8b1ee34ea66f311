import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { logOf, openSetting } from './app.ts';
import { runCommand, runEntry } from './entry.ts';

const findings = z.array(z.object({ name: z.string(), category: z.string(), result: z.string() }));

describe('the doctor', { timeout: 60_000 }, () => {
  it('tells scripts what it found, as JSON and by its exit code', async () => {
    const { env } = await openSetting();
    const healthy = runCommand('doctor', { env, args: ['--json', 'slack-token', 'clock'] });
    expect(await healthy.ended).toEqual({ code: 0, signal: null });
    expect(findings.parse(JSON.parse(healthy.stdout()))).toEqual([
      { name: 'slack-token', category: 'slack', result: 'passed' },
      { name: 'clock', category: 'runtime', result: 'passed' },
    ]);
    const wrong = runCommand('doctor', {
      env: { ...env, SLACK_BOT_TOKEN: 'xoxb-wrong-token' },
      args: ['slack-token'],
    });
    expect(await wrong.ended).toEqual({ code: 1, signal: null });
    expect(wrong.stdout()).toMatch(/^✗ slack-token .*invalid_auth.*\n +Fix: Copy it again/);
    expect(wrong.stdout()).not.toContain('xoxb-wrong-token');
  });

  it('prints what to send to whoever helps: findings, versions, and the end of the log, without secrets', async () => {
    const { env } = await openSetting();
    const folder = await temporaryFolder();
    const log = join(folder, 'app.log');
    const secrets = [env.SLACK_BOT_TOKEN, env.SLACK_SIGNING_SECRET, env.DESIGN_API_KEY];
    const lines = Array.from({ length: 2_000 }, (_, number) => `line ${number} ${secrets}`);
    await writeFile(log, `${lines.join('\n')}\n`);
    for (const settings of [env, { ...env, PORT: 'not a port' }]) {
      const entry = runCommand('doctor', {
        env: settings,
        args: ['--support', log, 'clock', 'settings'],
      });
      expect(await entry.ended).toEqual({ code: 0, signal: null });
      const bundle = z
        .object({ version: z.string(), node: z.string(), findings, log: z.array(z.string()) })
        .parse(JSON.parse(entry.stdout()));
      expect(bundle.findings.map(({ name }) => name)).toEqual(['settings', 'clock']);
      expect(bundle.log).toHaveLength(500);
      expect(bundle.log.at(-1)).toMatch(/^line 1999 /);
      for (const secret of secrets) expect(entry.stdout()).not.toContain(secret);
    }
    const missing = runCommand('doctor', { env, args: ['--support', folder, 'settings'] });
    expect(await missing.ended).toEqual({ code: 1, signal: null });
    expect(missing.stderr()).toMatch(/^The log .* can't be read: EISDIR/);
  });

  it('lists its checks, and knows no others', async () => {
    const list = runCommand('doctor', { args: ['--list'] });
    expect(await list.ended).toEqual({ code: 0, signal: null });
    expect(list.stdout()).toMatch(/^keyring +database +ENCRYPTION_KEYS has every key/m);
    const unknown = runCommand('doctor', { args: ['everything'] });
    expect(await unknown.ended).toEqual({ code: 2, signal: null });
    expect(unknown.stderr()).toContain('Usage: npm run app -- doctor');
  });

  it('has its cheap checks run at each start, which only log', async () => {
    const { env, stage } = await openSetting();
    const token = stage.slack.state.tokens.get(stage.acme.botToken);
    if (token) token.scopes = token.scopes.filter((scope) => scope !== 'groups:read');
    const entry = runEntry('dist/main.js', { env: { ...env, METRICS_TOKEN: 'hunter2' } });
    const short = await entry.until(
      () => logOf(entry).find(({ check }) => check === 'secret-length'),
      'that a secret is short',
    );
    expect(short).toMatchObject({ level: 'warn', fix: expect.stringContaining('openssl') });
    const warning = await entry.until(
      () => logOf(entry).find(({ check }) => check === 'slack-scopes'),
      'that a scope is missing',
    );
    expect(warning).toMatchObject({
      level: 'warn',
      msg: 'The installation lacks scopes: groups:read.',
      fix: expect.stringContaining('install the app again'),
    });
  });
});
