import { availableParallelism } from 'node:os';
import { readArguments } from '../../src/commands/read-arguments.ts';
import { startPostgres } from '../postgres/server.ts';
import { createMutatedCopy } from './mutated-copy.ts';
import { MUTATIONS } from './mutations.ts';
import { type Report, reportInWords, tryMutation } from './try-mutation.ts';

const USAGE = `npm run tool -- mutations [--only TEXT]

Takes out one safeguard after the other, in a copy of the code, and reports which proof notices.

  --only  only safeguards and files whose names contain this`;

const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  only: { type: 'string', default: '' },
});

const chosen = MUTATIONS.filter(({ safeguard, file }) =>
  `${safeguard} ${file}`.includes(given.only),
);
const postgres = await startPostgres();
const reports: Report[] = [];
const waiting = chosen.entries();

/** Tries one mutation after the other, in a copy of its own. */
async function tryWaiting(): Promise<void> {
  const copy = await createMutatedCopy();
  for (const [index, mutation] of waiting) {
    const report = await tryMutation(copy, mutation, postgres.url);
    reports.push(report);
    print(`${index + 1}/${chosen.length} without: ${mutation.safeguard} (${mutation.file})`);
    for (const line of reportInWords(report)) print(`  ${line}`);
  }
  await copy.delete();
}
await Promise.all(Array.from({ length: availableParallelism() }, tryWaiting));
await postgres.stop();
const unnoticed = reports.filter(({ found, mutation }) => !found && !mutation.otherwise);
print(`${reports.length} safeguards taken out, ${unnoticed.length} unnoticed`);
process.exit(unnoticed.length === 0 ? 0 : 1);
