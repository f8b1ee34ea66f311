import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Explored, explore } from '../model/explore.ts';
import { SCOPE_OF_MUTATIONS } from '../model/scopes.ts';
import type { MutatedCopy } from './mutated-copy.ts';
import type { Mutation, Search } from './mutation.ts';
import type { SearchResult } from './search/result.ts';

/** Which proof noticed that a safeguard was missing. */
export type Report = {
  mutation: Mutation;
  crashRun: SearchResult;
  /** Undefined where the model does not have the safeguard. */
  model: Explored | undefined;
  isNoticed: boolean;
  lines: string[];
};

export async function tryMutation(
  copy: MutatedCopy,
  mutation: Mutation,
  postgres: string | undefined,
): Promise<Report> {
  await copy.apply(mutation);
  const crashRun = await searchIn(copy.folder, mutation.search, postgres);
  await copy.restore();
  const { inModel } = mutation;
  const model = inModel && explore({ scope: SCOPE_OF_MUTATIONS, without: inModel });
  const isNoticed = crashRun.found !== undefined || model?.found !== undefined;
  return { mutation, crashRun, model, isNoticed, lines: linesOf(crashRun, model) };
}

function linesOf({ found, runs, seconds }: SearchResult, model: Explored | undefined): string[] {
  const took = `${runs} runs, ${seconds.toFixed(1)} s`;
  const words = found?.problems.map(({ kind, words: what }) => `${kind}: ${what}`).join('; ');
  return [
    found ? `crash run ${found.run} (${took}): ${words}` : `crash runs: nothing (${took})`,
    ...(model
      ? [`model: ${model.found?.violation ?? 'nothing'} (${model.seconds.toFixed(2)} s)`]
      : []),
  ];
}

/** In a process of its own, which reads the mutated code. */
async function searchIn(
  folder: string,
  search: Search,
  postgres: string | undefined,
): Promise<SearchResult> {
  const script = join(folder, 'test/mutations/search/main.ts');
  const given = ['--search', JSON.stringify(search), ...(postgres ? ['--postgres', postgres] : [])];
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode ?? once(child, 'exit'),
  ]);
  if (out === '') throw new Error(`The search ended without a result:\n${errors}`);
  return JSON.parse(out);
}
