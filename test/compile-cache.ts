import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns an environment in which processes use what earlier ones compiled, also of sources */
export const withCompileCache = () => ({
  NODE_COMPILE_CACHE: join(tmpdir(), 'design-request-compile-cache'),
});
