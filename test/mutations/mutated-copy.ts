import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutation, mutate } from './mutation.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const COPIED_FOLDERS = ['src', 'test'];

/** A copy of the code and its tests in which one mutation at a time is applied. */
export type MutatedCopy = Awaited<ReturnType<typeof createMutatedCopy>>;

export async function createMutatedCopy() {
  const folder = await mkdtemp(join(tmpdir(), 'design-request-mutations-'));
  for (const name of COPIED_FOLDERS) {
    await cp(join(PROJECT, name), join(folder, name), { recursive: true });
  }
  for (const entry of await readdir(PROJECT, { withFileTypes: true })) {
    if (entry.isFile()) await cp(join(PROJECT, entry.name), join(folder, entry.name));
  }
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    async whileMutated<Result>(mutation: Mutation, work: () => Promise<Result>) {
      const path = join(folder, mutation.file);
      const source = await readFile(path, 'utf8');
      await writeFile(path, mutate(source, mutation));
      return work().finally(() => writeFile(path, source));
    },
    delete: () => rm(folder, { recursive: true, force: true }),
  };
}
