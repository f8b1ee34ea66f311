import { readFile, writeFile } from 'node:fs/promises';
import { explore } from './explore.ts';
import type { Decision } from './protocol/author.ts';
import { requestAt, workerAt } from './protocol/changes.ts';
import type { Outcome, State, Status } from './protocol/state.ts';
import type { Happened } from './protocol/transitions.ts';
import { SCOPE_OF_MUTATIONS } from './run-model.ts';

const WORDS_OF_OUTCOME: Record<Outcome, string> = {
  none: '',
  created: 'card created',
  unnamed: 'card created, not named',
  rejected: 'refused',
  not_sent: 'not sent, or 429',
  unknown: 'answer lost',
};

const WORDS_OF_DECISION: Record<Decision, string> = {
  'send again': 'its author sends it again',
  'found it': 'its author found it',
  discard: 'its author discards it',
};

/** Draws the statuses of a request and the transitions between them, as the model has them. */
export function drawDiagram(): string {
  const arrows = new Set<string>();
  explore({ scope: { ...SCOPE_OF_MUTATIONS, interruptions: 1 } }, (from, { happened, next }) => {
    for (const [index, { status }] of next.requests.entries()) {
      const before = from.requests[index]?.status;
      if (before === undefined || before === status) continue;
      arrows.add(`    ${nodeOf(before)} --> ${nodeOf(status)}: ${labelOf(happened, from)}`);
    }
  });
  return ['```mermaid', 'stateDiagram-v2', ...[...arrows].sort(), '```'].join('\n');
}

const nodeOf = (status: Status): string => (status === 'new' ? '[*]' : status);

function labelOf(happened: Happened, from: State): string {
  switch (happened.name) {
    case 'submit':
      return requestAt(from, happened.request).status === 'new'
        ? 'its author sends it'
        : 'its author corrects it';
    case 'beginSending':
      return 'about to be sent';
    case 'recordOutcome':
      return WORDS_OF_OUTCOME[workerAt(from, happened.worker).outcome];
    case 'checkRequest':
      return 'its sender is gone';
    case 'decide':
      return WORDS_OF_DECISION[happened.choice];
    case 'readCard':
      return 'its card was opened';
    case 'search':
      return 'found at the service';
    default:
      throw new Error(`${happened.name} moves a request on, and has no label`);
  }
}

const PAGE = new URL('../../docs/reliability.md', import.meta.url);
const BEGIN = '<!-- states: written by `npm run tool -- crash --write` -->';
const END = '<!-- end of states -->';

async function split(): Promise<[before: string, diagram: string, after: string]> {
  const page = await readFile(PAGE, 'utf8');
  const from = page.indexOf(BEGIN) + BEGIN.length;
  const to = page.indexOf(END);
  if (from < BEGIN.length || to < from) throw new Error(`docs/reliability.md lacks ${BEGIN}`);
  return [page.slice(0, from), page.slice(from, to).trim(), page.slice(to)];
}

export const readDiagram = async (): Promise<string> => (await split())[1];

export async function writeDiagram(diagram: string): Promise<void> {
  const [before, , after] = await split();
  await writeFile(PAGE, `${before}\n\n${diagram}\n\n${after}`);
}
