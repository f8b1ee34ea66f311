import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformWithOxc } from 'vite';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runEntry } from './entry.ts';
import { projectWith, runNpm } from './npm.ts';

const readFile = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFile('package.json')));
/** Scripts that don't run our own programs. */
const OTHERS = ['types', 'lint', 'format', 'check'];
const OURS = Object.keys(scripts).filter((name) => !OTHERS.includes(name));

/** Code that makes a process report another Node version. */
const pretending = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;

/** The project after `npm ci --ignore-scripts`, without its own Node, and with one in PATH that is too old. */
async function projectWithOldNode(version: string) {
  const cwd = await projectWith('package.json', 'src', 'test');
  const bin = join(cwd, 'bin');
  const preload = `data:text/javascript,${encodeURIComponent(pretending(version))}`;
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'node'),
    `#!/bin/sh\nexec '${process.execPath}' --import "${preload}" "$@"\n`,
  );
  chmodSync(join(bin, 'node'), 0o755);
  return { cwd, bin };
}

describe('with a Node that is too old', { timeout: 60_000 }, () => {
  it.each(['start', 'test', 'sandbox'])(
    'npm run %s ends with one line that says what to do',
    async (script) => {
      const { cwd, bin } = await projectWithOldNode('20.20.2');
      const npm = runNpm(['run', '--silent', script], { cwd, path: bin });
      expect(await npm.npmEnded).toBe(1);
      expect(npm.output()).toMatch(
        /^Design Request needs Node 24\.15\.0 or later, and this is 20\.20\.2\. Run `npm ci` without --ignore-scripts, .*\n$/,
      );
    },
  );

  it('every other script that runs our code does the same', () => {
    for (const name of OURS)
      expect(scripts[name]).toMatch(/^node src\/commands\/check-node\.cjs && /);
  });

  it.each([
    ['24.14.9', 1],
    ['24.15.0', 0],
    ['24.15.1', 0],
    ['23.99.0', 1],
    ['25.0.0-nightly', 0],
    ['9.0.0', 1],
  ])('%s is compared by its numbers', async (version, code) => {
    const check = runEntry('src/commands/check-node.cjs', { preload: pretending(version) });
    expect(await check.ended).toEqual({ code, signal: null });
  });

  it('that is as old as Node 12, the message still appears: the check is written in its syntax', async () => {
    const code = readFile('src/commands/check-node.cjs');
    const of = async (target: string) =>
      (await transformWithOxc(code, 'check.js', { target })).code;
    expect(await of('es2019')).toBe(await of('esnext'));
  });
});
