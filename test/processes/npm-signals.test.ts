import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { openSetting, type Setting, sendRequest } from './app.ts';
import { type NpmRun, projectWith, runNpm } from './npm.ts';

const PROJECT = ['package.json', 'src', 'test', 'dist', 'node_modules'];

const STALL_MS = 2_000;

/** `npm run sandbox` with its app ready, and its own folder for temporary files. */
async function sandbox() {
  const TMPDIR = await temporaryFolder();
  const cwd = await projectWith(...PROJECT);
  const npm = runNpm(['run', 'sandbox'], { cwd, env: { TMPDIR } });
  const [, app = ''] = await npm.until(/The app {12}(http:\S+), ready/);
  return {
    npm,
    app,
    left: () => readdirSync(TMPDIR).filter((name) => name.startsWith('design-request')),
  };
}

async function started(setting?: Setting): Promise<NpmRun> {
  const { env, stage } = setting ?? (await openSetting());
  const cwd = await projectWith(...PROJECT);
  const npm = runNpm(['start'], { cwd, env });
  const [, url = ''] = await npm.until(/"url":"([^"]+)".*"msg":"ready"/);
  stage.connect(url);
  return npm;
}

describe('npm run sandbox', { timeout: 120_000 }, () => {
  it('sent SIGHUP, which npm doesn’t pass on, leaves nothing running', async () => {
    const { npm, app, left } = await sandbox();
    npm.kill('SIGHUP');
    expect(await npm.npmEnded).toBe('SIGHUP');
    await npm.allEnded;
    await expect(fetch(`${app}/readyz`)).rejects.toThrow();
    expect(left()).toEqual([]);
  });
});

describe('npm start', { timeout: 60_000 }, () => {
  it('takes Ctrl-C, which the app gets from both the terminal and npm, as one, and finishes sending a request', async () => {
    const setting = await openSetting();
    const { service } = setting.stage;
    service.faults.add({ kind: 'stall', ms: STALL_MS, operation: 'createCard' });
    const npm = await started(setting);
    await sendRequest(setting);
    const sent = () => service.calls({ operation: 'createCard' });
    await expect.poll(() => sent().length).toBe(1);
    npm.killGroup('SIGINT');
    expect(await npm.npmEnded).toBe(0);
    expect(npm.output()).toContain('"msg":"stopped"');
    expect(sent()).toMatchObject([{ executed: true }]);
  });

  it('sent SIGHUP, which npm doesn’t pass on, stops the app', async () => {
    const npm = await started();
    npm.kill('SIGHUP');
    await npm.allEnded;
    expect(npm.output()).toContain('"msg":"stopped"');
  });
});
