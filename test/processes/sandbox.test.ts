import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { runEntry } from './entry.ts';
import { projectWith, runNpm } from './npm.ts';

const PROJECT = ['package.json', 'src', 'test', 'dist', 'node_modules'];

describe('the sandbox', { timeout: 120_000 }, () => {
  it('shows the main job to its last step, and exits with 0', async () => {
    const cwd = await projectWith(...PROJECT);
    const npm = runNpm(['run', '--silent', 'sandbox', '--', '--exit'], { cwd });
    expect(await npm.npmEnded, npm.output()).toBe(0);
    const shown = npm.output();
    expect(shown).toMatch(/^7\. The card’s status changes$/m);
    expect(shown).toMatch(/^Done in \d+ ms$/m);
    expect(npm.errors()).toBe('');
    // No colors if the output isn't a terminal.
    expect(shown).not.toContain('\u001B');
  });

  it('keeps running with its addresses until it is asked to end, and leaves nothing behind', async () => {
    const TMPDIR = await temporaryFolder();
    const cwd = await projectWith(...PROJECT);
    const npm = runNpm(['run', 'sandbox'], { cwd, env: { TMPDIR } });
    const [, app = ''] = await npm.until(/The app {12}(http:\S+), ready/);
    await npm.until(/npm start/);
    expect(await (await fetch(`${app}/readyz`)).json()).toMatchObject({ ready: true });
    await npm.until(/Globex has the app/);
    const [, key = ''] = /x-api-key: (\S+)'/.exec(npm.output()) ?? [];
    const [card = ''] = /http:\S+\/card\/card-\d+/.exec(npm.output()) ?? [];
    const answer = await fetch(card, { headers: { 'x-api-key': key } });
    expect(await answer.json()).toMatchObject({ data: { title: 'Spring banner' } });

    npm.kill('SIGINT');
    expect(await npm.npmEnded).toBe(0);
    await npm.allEnded;
    await expect(fetch(`${app}/readyz`)).rejects.toThrow();
    const left = readdirSync(TMPDIR).filter((name) => name.startsWith('design-request'));
    expect(left).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('ends cleanly on %s while it starts', async (signal) => {
    const TMPDIR = await temporaryFolder();
    const entry = runEntry('test/sandbox/main.ts', { env: { TMPDIR } });
    await entry.until(() => /starting/.exec(entry.stdout()), 'that it starts');
    entry.kill(signal);
    expect(await entry.ended).toEqual({ code: 130, signal: null });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it('refuses to listen on other addresses, and exits with 2', async () => {
    const entry = runEntry('test/sandbox/main.ts', { args: ['--host=0.0.0.0'] });
    expect(await entry.ended).toEqual({ code: 2, signal: null });
    expect(entry.stderr()).toContain('The sandbox listens on 127.0.0.1 only');
    expect(entry.stderr()).toContain('Usage: npm run sandbox');
    expect(entry.stdout()).toBe('');
  });
});
