import { describe, expect, it } from 'vitest';
import { patternsIn } from './patterns-in.ts';
import { slowdownOf } from './slowdown.ts';

/** The checker starts a process, which may take long on a busy machine. */
const TIMEOUT_MS = 180_000;

describe('regular expressions', { timeout: TIMEOUT_MS }, () => {
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
