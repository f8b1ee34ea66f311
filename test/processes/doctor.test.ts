import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { openSetting } from './app.ts';
import { runCommand } from './entry.ts';

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
});
