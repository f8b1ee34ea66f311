import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MutatedCopy } from './mutated-copy.ts';
import type { Mutation, SearchResult } from './mutation.ts';

/** Searches for a problem in crash runs, in a process of its own, which reads the mutated code. */
export async function tryMutation(
  copy: MutatedCopy,
  mutation: Mutation,
  postgres: string,
): Promise<SearchResult> {
  const script = join(copy.folder, 'test/mutations/search/main.ts');
  const given = ['--search', JSON.stringify(mutation.search), '--postgres', postgres];
  const search = () => promisify(execFile)(process.execPath, [script, ...given]);
  const { stdout } = await copy.whileMutated(mutation, search);
  return JSON.parse(stdout);
}

export function resultInWords({ found, runs, seconds }: SearchResult): string {
  const problems = found?.problems.map(({ kind, words }) => `${kind}: ${words}`).join('; ');
  return `crash runs: ${found ? `run ${found.run}, ${problems}` : 'nothing'} (${runs} runs, ${seconds.toFixed(1)} s)`;
}
