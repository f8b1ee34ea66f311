import { globSync, readFileSync } from 'node:fs';
import { patternsIn } from './patterns-in.ts';
import { slowdownOf } from './slowdown.ts';

// Part of `npm run lint`: every regular expression in src/ takes linear time, whatever it is given.

const found = globSync('src/**/*.ts').flatMap((file) =>
  patternsIn(file, readFileSync(file, 'utf8')).map((pattern) => ({ file, pattern })),
);
if (found.length === 0) throw new Error('There is no src/ here: run this with npm run lint.');

// Many occur more than once.
const slowdowns = new Map<string, string | undefined>();
let slow = 0;
for (const { file, pattern } of found) {
  const text = `/${pattern.source}/${pattern.flags}`;
  if (!slowdowns.has(text)) slowdowns.set(text, await slowdownOf(pattern));
  const slowdown = slowdowns.get(text);
  if (!slowdown) continue;
  slow += 1;
  process.stderr.write(`${file}:${pattern.line} ${text} ${slowdown}\n`);
}
process.stdout.write(`Checked ${found.length} regular expressions, ${slow} of them slow.\n`);
// The checker keeps a process running.
process.exit(slow > 0 ? 1 : 0);
