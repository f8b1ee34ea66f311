import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { currentProcess } from './simulated-process.ts';

const { execFile } = childProcess;
const execute = promisify(execFile);

/**
 * Lets simulated processes start no programs. The app starts one to erase deleted rows, which locks the
 * database in real time, while the app waits for the lock in virtual time.
 */
export function replaceChildProcesses(): void {
  const replacement = Object.assign((...given: Parameters<typeof execFile>) => execFile(...given), {
    [promisify.custom]: async (...given: Parameters<typeof execute>) =>
      currentProcess() ? { stdout: '', stderr: '' } : execute(...given),
  });
  Reflect.set(childProcess, 'execFile', replacement);
  syncBuiltinESMExports();
}
