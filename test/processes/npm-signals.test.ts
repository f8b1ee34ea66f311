import { describe, expect, it } from 'vitest';
import { openSetting, type Setting, sendRequest } from './app.ts';
import { type NpmRun, projectWith, runNpm } from './npm.ts';

const PROJECT = ['package.json', 'src', 'test', 'dist', 'node_modules'];

const STALL_MS = 2_000;

async function started(setting?: Setting): Promise<NpmRun> {
  const { env, stage } = setting ?? (await openSetting());
  const cwd = await projectWith(...PROJECT);
  const npm = runNpm(['start'], { cwd, env });
  const [, url = ''] = await npm.until(/"url":"([^"]+)".*"msg":"ready"/);
  stage.connect(url);
  return npm;
}

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
