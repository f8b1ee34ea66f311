import { aligned, readArguments } from '../../src/commands/read-arguments.ts';
import { choose, wholeNumber } from '../choose.ts';
import buildIfStale from '../fresh-bundle.ts';
import { describeMachine } from './machine.ts';
import { figureAsText, holds, type Row, targetAsText } from './row.ts';
import { ROWS } from './rows.ts';
import { openStage } from './stage.ts';

const list = ROWS.map(({ id, title }) => [id, title]);
const USAGE = `npm run tool -- bench [--only form,unfurl] [--rounds N]

  --only    only these rows; by default all
  --rounds  how often each is measured, in mirrored load; 9 by default

${aligned(list, '  ')}`;

const ROUNDS = 9;
const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  only: { type: 'string' },
  rounds: { type: 'string' },
});
const rows = choose(USAGE, given.only, ROWS, ({ id }) => id);
const rounds = wholeNumber(USAGE, given, 'rounds', { least: 1 }) ?? ROUNDS;
buildIfStale();

// All subjects end with this process.
process.setMaxListeners(0);

print(`${rounds} rounds. ${describeMachine(new Date())}`);

process.once('SIGINT', () => process.exit(1)).once('SIGTERM', () => process.exit(1));
for (const row of rows) await show(row);

async function show(row: Row): Promise<void> {
  print(`\n${row.title} (${row.id})\n${row.how}`);
  const started = performance.now();
  const say = (progress: string) => print(`    … ${progress}`);
  const stage = await openStage();
  const all = await row.run({ stage, rounds, say }).finally(stage.close);
  for (const one of all) {
    const target = one.target ? `, ${targetAsText(one)}${holds(one) ? '' : ': MISSED'}` : '';
    print(`    ${one.what}: ${figureAsText(one)}${target}`);
  }
  print(`    (${Math.round((performance.now() - started) / 1_000)} s)`);
}
