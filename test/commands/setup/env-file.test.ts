import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { writeEnvFile } from '../../../src/commands/setup/env-file.ts';
import { OperatorError } from '../../../src/ops/operator-error.ts';
import { temporaryFolder } from '../../store/sqlite-files.ts';

const NO_TEMPLATE = { template: '/dev/null/none' };

it('is read back as it was written, whatever the values', async () => {
  const path = join(await temporaryFolder(), '.env');
  // What may be pasted: printable characters of one line.
  const value = fc.stringMatching(/^[ -~]{1,40}$/).filter((text) => text === text.trim());
  fc.assert(
    fc.property(value, (secret) => {
      try {
        writeEnvFile(path, { A: 'first', SECRET: secret, Z: 'last' }, NO_TEMPLATE);
      } catch (error) {
        // All three kinds of quotes, or what Node reads as an escape: refused instead of changed.
        expect(String(error)).toContain("can't be written");
        return;
      }
      expect(parseEnv(readFileSync(path, 'utf8'))).toEqual({
        A: 'first',
        SECRET: secret,
        Z: 'last',
      });
    }),
  );
});

it('is read by a shell as by Node, wherever quotes allow it', async () => {
  const path = join(await temporaryFolder(), '.env');
  const quotable = fc
    .stringMatching(/^[ -~]{1,40}$/)
    // Single quotes allow everything but themselves, and double quotes everything but these.
    .filter((text) => text === text.trim() && !(text.includes("'") && /["$\\`]/.test(text)));
  const values = fc.array(quotable, { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(values, (list) => {
      const written = Object.fromEntries(list.map((value, index) => [`SETTING_${index}`, value]));
      rmSync(path, { force: true });
      writeEnvFile(path, written, NO_TEMPLATE);
      expect(parseEnv(readFileSync(path, 'utf8'))).toEqual(written);
      const variables = execFileSync('sh', ['-c', 'set -a; . "$0"; env -0', path]);
      const read = `${variables}`.split('\0').filter((line) => line.startsWith('SETTING_'));
      expect(read.toSorted()).toEqual(
        Object.entries(written)
          .map(([name, value]) => `${name}=${value}`)
          .toSorted(),
      );
    }),
    // Each list of values starts a shell.
    { numRuns: 20 },
  );
});

it('begins with the template, and keeps its comments in place', async () => {
  const folder = await temporaryFolder();
  const [path, template] = [join(folder, '.env'), join(folder, 'template')];
  writeFileSync(template, '# The port.\nPORT=3000\n# The key.\nKEY=\n');
  writeEnvFile(path, { KEY: 'k # 1', NEW: 'n' }, { template });
  expect(readFileSync(path, 'utf8')).toBe(
    "# The port.\nPORT=3000\n# The key.\nKEY='k # 1'\nNEW=n\n",
  );
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('follows a link, and leaves no other file behind', async () => {
  const folder = await temporaryFolder();
  const [path, real] = [join(folder, '.env'), join(folder, 'real')];
  writeFileSync(real, 'A=1\nA=2\n');
  symlinkSync(real, path);
  writeEnvFile(path, { A: '3' }, NO_TEMPLATE);
  expect(readFileSync(real, 'utf8')).toBe('# A=1\nA=3\n# A=2\n');
  expect(readdirSync(folder).toSorted()).toEqual(['.env', 'real']);
});

it('keeps a value that is replaced as a comment, and isn’t written without a change', async () => {
  const path = join(await temporaryFolder(), '.env');
  writeFileSync(path, '# Ours.\nPROXY=http://proxy:3128\nexport KEY="old"\n');
  const { ino } = statSync(path);
  writeEnvFile(path, { KEY: 'old', OTHER: '' }, NO_TEMPLATE);
  expect(statSync(path).ino).toBe(ino);
  writeEnvFile(path, { KEY: 'new', OTHER: '' }, NO_TEMPLATE);
  expect(readFileSync(path, 'utf8')).toBe(
    '# Ours.\nPROXY=http://proxy:3128\n# export KEY="old"\nKEY=new\n',
  );
});

it('says that it can’t be written, and changes nothing', async () => {
  const folder = await temporaryFolder();
  const elsewhere = join(folder, 'nowhere', '.env');
  const problem = `${elsewhere} can't be written: ENOENT: no such file or directory`;
  for (const expected of [problem, OperatorError])
    expect(() => writeEnvFile(elsewhere, { A: '1' }, NO_TEMPLATE)).toThrow(expected);
  const path = join(folder, '.env');
  expect(() => writeEnvFile(path, { A: 'two\nlines\'"`' }, NO_TEMPLATE)).toThrow(
    "can't be written",
  );
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
