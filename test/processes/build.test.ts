import { appendFile, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openSetting } from './app.ts';
import { runEntry } from './entry.ts';
import { projectWith, runNpm } from './npm.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

async function unbuiltProject(): Promise<string> {
  const cwd = await projectWith('package-lock.json', 'node_modules');
  await cp(SRC, join(cwd, 'src'), { recursive: true });
  await cp(join(SRC, '../package.json'), join(cwd, 'package.json'));
  return cwd;
}

describe('npm start', { timeout: 120_000 }, () => {
  it('four times at once with a stale build starts four apps, whose files later builds leave alone', async () => {
    const cwd = await unbuiltProject();
    const settings = await Promise.all([1, 2, 3, 4].map(() => openSetting()));
    const apps = settings.map(({ env }) => runNpm(['start'], { cwd, env }));
    await Promise.all(apps.map((app) => app.until(/"msg":"ready"/)));
    const dist = join(cwd, 'dist');
    const files = await readdir(dist, { recursive: true });
    await appendFile(join(cwd, 'src/main.ts'), 'process.stdout.write("changed");');
    expect(await runNpm(['run', 'build'], { cwd }).npmEnded).toBe(0);
    expect(await readdir(dist, { recursive: true })).toEqual(expect.arrayContaining(files));
    const builds = (await readdir(dist)).filter((name) => name.startsWith('build-'));
    expect(builds).toHaveLength(2);
  });
});

it('an unexpected error shows a line of code, and never a whole file', async () => {
  const entry = runEntry('dist/main.js', { preload: 'process.on = undefined' });
  expect(await entry.ended).toEqual({ code: 1, signal: null });
  expect(entry.stderr()).toContain('TypeError: process.on is not a function');
  expect(entry.stderr().length).toBeLessThan(2_000);
});
