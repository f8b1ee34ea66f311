import { availableParallelism } from 'node:os';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { startPostgres } from '../postgres/server.ts';
import { createMutatedCopy } from './mutated-copy.ts';
import { MUTATIONS } from './mutations.ts';
import { resultInWords, tryMutation } from './try-mutation.ts';

const USAGE = `npm run tool -- mutations [--only TEXT]

Takes out one safeguard after the other, in a copy of the code, and reports whether crash runs notice.

  --only  only safeguards and files whose names contain this`;

const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  only: { type: 'string', default: '' },
});

const chosen = MUTATIONS.filter(({ safeguard, file }) =>
  `${safeguard} ${file}`.includes(given.only),
);
const postgres = await startPostgres();
let unnoticed = 0;
const waiting = chosen.entries();

/** Tries one mutation after the other, in a copy of its own. */
async function tryWaiting(): Promise<void> {
  const copy = await createMutatedCopy();
  for (const [index, mutation] of waiting) {
    const result = await tryMutation(copy, mutation, postgres.url);
    if (!result.found && !mutation.otherwise) unnoticed += 1;
    print(`${index + 1}/${chosen.length} without: ${mutation.safeguard} (${mutation.file})`);
    print(`  ${resultInWords(result)}`);
    if (!result.found && mutation.otherwise) print(`  ${mutation.otherwise}`);
  }
  await copy.delete();
}
await Promise.all(Array.from({ length: availableParallelism() }, tryWaiting));
await postgres.stop();
print(`${chosen.length} safeguards taken out, ${unnoticed} unnoticed`);
process.exit(unnoticed === 0 ? 0 : 1);
