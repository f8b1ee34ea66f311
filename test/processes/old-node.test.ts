import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

/** What the scripts and what deployments run. */
const PROGRAMS = ['src/commands/launch.cjs', 'dist/main.js', 'dist/app.js'];

/** Code that makes a process report another Node version. */
const pretending = (version: string) =>
  `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;

describe('with a Node that is too old', { timeout: 60_000 }, () => {
  it('every script that runs our code says so', () => {
    for (const name of OURS)
      expect(scripts[name]).toMatch(/^(?:exec )?node src\/commands\/launch\.cjs /);
  });

  it.each([
    ['24.15.0', 0],
    ['25.0.0-nightly', 0],
    ['9.0.0', 1],
  ])('%s is compared by its numbers', async (version, code) => {
    const check = runEntry('src/commands/launch.cjs', { preload: pretending(version) });
    expect(await check.ended).toEqual({ code, signal: null });
  });

  it.each(PROGRAMS)('%s says so in one line', async (file) => {
    const entry = runEntry(file, { preload: pretending('22.23.3') });
    expect(await entry.ended).toEqual({ code: 1, signal: null });
    expect(entry.stderr()).toMatch(
      /^Design Request needs Node 24\.15\.0 or later, and this is 22\.23\.3\. .*\n$/,
    );
    expect(entry.stdout()).toBe('');
  });

  it.each(PROGRAMS)(
    'that is as old as Node 12, the message of %s still appears: it is written in its syntax',
    async (file) => {
      const code = readFile(file);
      const of = async (target: string) =>
        (await transformWithOxc(code, 'check.js', { target })).code;
      expect(await of('es2019')).toBe(await of('esnext'));
    },
  );
});

describe('without what npm left out, a test or build says how to get it:', () => {
  it.each([
    ['all dev dependencies', [], /dev dependencies, .* --omit=dev or NODE_ENV=production\./],
    ['native bindings', ['vite', '@rolldown/pluginutils'], /Node before 20\.19 or 22\.12/],
  ])('%s', async (_what, installed, words) => {
    const cwd = await projectWith('package.json', 'src', 'test');
    for (const name of installed) mkdirSync(join(cwd, 'node_modules', name), { recursive: true });
    const npm = runNpm(['run', '--silent', 'build'], { cwd, path: dirname(process.execPath) });
    expect(await npm.npmEnded).toBe(1);
    expect(npm.output()).toMatch(words);
    expect(npm.output()).toMatch(/^[^\n]* `npm ci --include=dev --include=optional [^\n]*\n$/);
  });
});

describe('a newer Node in PATH than the one in node_modules', () => {
  it.each([
    ['99.0.0', true],
    ['20.20.2', false],
  ])('(%s) runs the operator commands: %s', async (version, isUsed) => {
    const cwd = await projectWith('package.json', 'src', 'node_modules');
    const path = join(cwd, 'bin');
    mkdirSync(path);
    writeFileSync(
      join(path, 'node'),
      `#!/bin/sh\n[ "$1" = --version ] && echo v${version} && exit\necho "ran ${version} $*"\nexec '${process.execPath}' "$@"\n`,
      { mode: 0o755 },
    );
    const npm = runNpm(['run', '--silent', 'app', '--', 'doctor', '--list'], { cwd, path });
    expect(await npm.npmEnded).toBe(0);
    expect(/ran \S+ .*src\/commands\/app\.ts/.test(npm.output())).toBe(isUsed);
  });
});
