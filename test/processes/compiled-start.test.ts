import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { installApp } from '../../src/sandbox/install-app.ts';
import { logOf, openSetting } from './app.ts';
import { runEntry } from './entry.ts';

describe('the deployed start', { timeout: 60_000 }, () => {
  it('keeps what it compiled for the next start, though it is killed', async () => {
    const { env } = await openSetting();
    const cache = join(folderOf(env), 'compile-cache');
    const entry = runEntry('src/start.mjs', { env: { ...env, NODE_COMPILE_CACHE: cache } });
    await entry.until(() => logOf(entry).find(({ msg }) => msg === 'ready'), 'that it is ready');
    await expect
      .poll(() => readdir(cache, { recursive: true }).then(({ length }) => length))
      .toBeGreaterThan(100);
    entry.kill('SIGKILL');
    await entry.ended;
  });

  it('works where nothing can be kept for the next one', async () => {
    const { env } = await openSetting();
    const entry = runEntry('src/start.mjs', { env: { ...env, NODE_DISABLE_COMPILE_CACHE: '1' } });
    await entry.until(() => logOf(entry).find(({ msg }) => msg === 'ready'), 'that it is ready');
    entry.kill('SIGTERM');
    expect(await entry.ended).toEqual({ code: 0, signal: null });
  });

  it('lets workspaces install the app by OAuth', async () => {
    const { env, stage } = await openSetting({ many: true });
    const entry = runEntry('src/start.mjs', { env });
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
});

const folderOf = (env: Record<string, string>) =>
  join(String(env.DATABASE_URL).replace(/^sqlite:/, ''), '..');
