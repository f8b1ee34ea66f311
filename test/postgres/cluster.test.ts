import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TestProject } from 'vitest/node';
import { temporaryFolder } from '../store/sqlite-files.ts';
import { packagedPostgres } from './cluster.ts';
import setup from './global-setup.ts';
import { startPostgres } from './server.ts';

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

  it('that can’t run is explained in one sentence, and stops only the tests that need it', async () => {
    vi.stubEnv('TEST_POSTGRES', '/nowhere');
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks());
    const provided: Record<string, unknown> = {};
    const provide = (name: string, value: unknown) => Object.assign(provided, { [name]: value });
    await setup({ provide } as unknown as TestProject);
    expect(provided).toEqual({
      postgresProblem: expect.stringMatching(
        /^Postgres can't be started for the tests: initdb fails: spawn \/nowhere\/bin\/initdb ENOENT/,
      ),
    });
  });
});
