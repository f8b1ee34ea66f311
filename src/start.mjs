import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Starts `main.ts` with what Node compiled at an earlier start. JavaScript, because Node would otherwise
 * load its TypeScript reader for this file already: 25 MB and a fifth of a second. Where nothing can be
 * written the app starts all the same, as slowly as the first time; NODE_COMPILE_CACHE names another place.
 */
enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/design-request', import.meta.url)),
);
await import('./main.ts');
