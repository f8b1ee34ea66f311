import { fileURLToPath } from 'node:url';

/** Not in a temporary folder, where another user could have prepared it. */
const FOLDER = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));

/** @returns environment variables that let a process reuse what earlier ones compiled, including TypeScript */
export const compileCacheEnv = () => ({ NODE_COMPILE_CACHE: FOLDER });
