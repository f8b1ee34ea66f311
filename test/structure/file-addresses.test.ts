import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const texts = globSync(['src/**/*.{ts,tsx,cjs}', 'test/**/*.{ts,tsx,mjs}'], { cwd: ROOT }).map(
  (file) => ({ file, text: readFileSync(new URL(file, ROOT), 'utf8') }),
);
const FILE_ADDRESS = String.raw`new URL\([^;]*?\bimport\.meta\.url\)`;
const NAMED = new RegExp(String.raw`\bconst (\w+) = ${FILE_ADDRESS};`, 'g');

it('no code takes the pathname of a file’s address: spaces and letters outside ASCII are escaped in it', () => {
  const found = texts.filter(({ text }) => {
    const names = [...text.matchAll(NAMED)].map(([, name]) => name);
    return new RegExp(`(${[FILE_ADDRESS, ...names].join('|')})\\.pathname`).test(text);
  });
  expect(found.map(({ file }) => file)).toEqual([]);
});
