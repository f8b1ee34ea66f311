import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Explored, explore } from '../model/explore.ts';
import { SCOPE_OF_MUTATIONS } from '../model/run-model.ts';
import type { MutatedCopy } from './mutated-copy.ts';
import type { Mutation, SearchResult } from './mutation.ts';

/** Which proof noticed that a safeguard was missing. */
export type Report = SearchResult & {
  mutation: Mutation;
  /** The model without the safeguard; undefined where it does not have it. */
  model: Explored | undefined;
};

export async function tryMutation(
  copy: MutatedCopy,
  mutation: Mutation,
  postgres: string,
): Promise<Report> {
  await copy.apply(mutation);
  const result = await searchIn(copy.folder, mutation, postgres);
  await copy.restore();
  const { inModel } = mutation;
  const model = inModel && explore({ scope: SCOPE_OF_MUTATIONS, without: inModel });
  return { ...result, mutation, model };
}

export function reportInWords({ found, runs, seconds, model }: Report): string[] {
  const problems = found?.problems.map(({ kind, words }) => `${kind}: ${words}`).join('; ');
  return [
    `crash runs: ${found ? `run ${found.run}, ${problems}` : 'nothing'} (${runs} runs, ${seconds.toFixed(1)} s)`,
    ...(model ? [`model: ${model.found?.violation} (${model.seconds.toFixed(2)} s)`] : []),
  ];
}

/** In a process of its own, which reads the mutated code. */
async function searchIn(
  folder: string,
  { search }: Mutation,
  postgres: string,
): Promise<SearchResult> {
  const script = join(folder, 'test/mutations/search/main.ts');
  const given = ['--search', JSON.stringify(search), '--postgres', postgres];
  const child = spawn(process.execPath, [script, ...given], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  if (out === '') throw new Error(`The search ended without a result:\n${errors}`);
  return JSON.parse(out);
}
