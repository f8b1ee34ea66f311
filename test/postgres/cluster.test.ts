import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runNpm } from '../processes/npm.ts';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { packagedPostgres } from './cluster.ts';
import { startPostgres } from './server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A folder that only its owner may enter. */
async function privateFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'Büro & Söhne (neu)');
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** The programs as npm leaves them with --ignore-scripts, where other users can't run them. */
async function privatePrograms(): Promise<string> {
  const programs = join(await privateFolder(), 'native');
  const filter = async (file: string) => !(await lstat(file)).isSymbolicLink();
  await cp(packagedPostgres(), programs, { recursive: true, filter });
  return programs;
}

describe('Postgres for the tests', () => {
  it('runs from private folders, with a strict umask, and without install scripts', async () => {
    const TMPDIR = await privateFolder();
    vi.stubEnv('TEST_POSTGRES', await privatePrograms());
    vi.stubEnv('TMPDIR', TMPDIR);
    const umask = process.umask(0o277);
    onTestFinished(() => {
      process.umask(umask);
      vi.unstubAllEnvs();
    });
    const server = await startPostgres();
    await server.stop();
    expect(await readdir(TMPDIR)).toEqual([]);
  });

  it('that can’t run is explained in one sentence; its tests fail, the others run', async () => {
    const cwd = await temporaryFolder();
    const files = ['test/postgres/lease.test.ts', 'test/clock.test.ts'];
    const npm = runNpm(
      ['--prefix', ROOT, 'test', '--', '--project', 'postgres', '--project', 'sqlite', ...files],
      { cwd, env: { TEST_POSTGRES: '/nowhere', NO_COLOR: '1' } },
    );
    expect(await npm.npmEnded).toBe(1);
    expect(npm.output()).toContain(
      "Postgres can't be started for the tests: initdb fails: spawn /nowhere/bin/initdb ENOENT",
    );
    expect(npm.output()).toMatch(/Test Files {2}1 failed \| 1 passed/);
  });
});
