import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns environment variables that let a process reuse what earlier ones compiled, including TypeScript */
export const compileCacheEnv = () => ({
  NODE_COMPILE_CACHE: join(tmpdir(), 'design-request-compile-cache'),
});
