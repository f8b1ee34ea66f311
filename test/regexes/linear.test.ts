import { globSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import { describe, expect, it } from 'vitest';
import { type Pattern, patternsIn } from './patterns-in.ts';

/** Checking all patterns takes about 10 s on an idle machine. */
const TIMEOUT_MS = 180_000;
/** Only steps are limited: with recheck's time limits, patterns look slow on a busy machine. */
const NO_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
};

/** @returns how the time grows and for which input; undefined if it is linear for every input */
async function slowdownOf({ source, flags }: Pattern): Promise<string | undefined> {
  const checked = await check(source, flags, NO_CLOCK);
  if (checked.status === 'safe') return undefined;
  if (checked.status === 'unknown') return `not checked: ${checked.error.kind}`;
  return `${checked.complexity.summary} for ${checked.attack.pattern}`;
}

describe('regular expressions', { timeout: TIMEOUT_MS }, () => {
  it('in src all take linear time', async () => {
    const found = globSync('src/**/*.ts').flatMap((file) =>
      patternsIn(file, readFileSync(file, 'utf8')).map((pattern) => ({ file, pattern })),
    );
    expect(found.length).toBeGreaterThan(0);
    // Many occur more than once.
    const slowdowns = new Map<string, string | undefined>();
    const slow: string[] = [];
    for (const { file, pattern } of found) {
      const text = `/${pattern.source}/${pattern.flags}`;
      if (!slowdowns.has(text)) slowdowns.set(text, await slowdownOf(pattern));
      const slowdown = slowdowns.get(text);
      if (slowdown) slow.push(`${file}:${pattern.line} ${text} ${slowdown}`);
    }
    expect(slow.join('\n')).toBe('');
  });

  it.each([
    ['a run that a match can start in at every character', 'x.replace(/\\/+$/, "")'],
    ['two loops over the same characters', 'const P = /^Bearer\\s+(.+)$/i'],
    ['a loop in a loop', 'const P = /^(a+)+$/'],
    ['a lookbehind over a run', 'const Q = "(?<=^ *)>"; RegExp(Q, "gmu")'],
  ])('are reported for %s', async (_, code) => {
    const [pattern] = patternsIn('example.ts', code);
    expect(pattern && (await slowdownOf(pattern))).toMatch(/polynomial|exponential/);
  });

  it('are made of constants only', () => {
    expect(() => patternsIn('example.ts', 'const f = (s: string) => new RegExp(s)')).toThrow(
      'example.ts:1',
    );
  });
});
