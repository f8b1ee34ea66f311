import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';

const LOGGING = new URL('../../src/ops/logging.ts', import.meta.url);
const PROGRAM = `
import { createLog } from '${LOGGING}';
const log = createLog({ level: 'info' });
process.stdin.once('end', () => {
  for (let index = 0; index < 2_000; index += 1) log.info({ index }, 'x'.repeat(100));
  log.info('stopped');
  process.exit(0);
}).resume();
`;

/** A process that logs much and ends at once when its standard input ends. */
function loggingProcess(stdout: 'pipe' | number) {
  const args = ['--input-type=module', '--eval', PROGRAM];
  const child = spawn(process.execPath, args, { stdio: ['pipe', stdout, 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

describe('a process that ends right after logging', () => {
  it('writes every line', async () => {
    const child = loggingProcess('pipe');
    child.stdin?.end();
    if (!child.stdout) throw new Error('no output');
    const lines = (await text(child.stdout)).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).msg).at(-1)).toBe('stopped');
    expect(lines).toHaveLength(2_001);
  });

  it.each([
    ['nobody reads', () => 'pipe' as const],
    ['the disk is full', () => openSync('/dev/full', 'w')],
  ])('ends, even if %s', async (_what, open) => {
    const child = loggingProcess(open());
    child.stdout?.destroy();
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
