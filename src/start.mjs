import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Starts `main.ts` with what Node compiled at an earlier start. JavaScript, because Node would otherwise
 * load its TypeScript reader for this file already: 25 MB and a fifth of a second. Where nothing can be
 * written the app starts all the same, as slowly as the first time; NODE_COMPILE_CACHE names another place.
 */
enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/design-request', import.meta.url)),
);
// Bolt is CommonJS: read before the hook, which each of its `require`s would only pass through.
createRequire(import.meta.url)('@slack/bolt/dist/App');

// ES modules name the files beside them in full. Node looks each up at every import of it all the same,
// several times on the disk, and in each folder above for what kind of package it is in: a seventh of the
// start, with Kysely’s 250 files and as many of ours.
const EMPTY_MODULE = 'data:text/javascript,';
const FORMATS = { '.ts': 'module-typescript', '.js': 'module' };
registerHooks({
  resolve(specifier, context, next) {
    const isBeside = specifier.startsWith('.') && context.conditions.includes('import');
    if (!isBeside) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    // What zod says in 60 languages; English, which it speaks by itself, it reads elsewhere.
    const url = href.endsWith('/zod/v4/locales/index.js') ? EMPTY_MODULE : href;
    return { url, format: FORMATS[extname(specifier)], shortCircuit: true };
  },
});

await import('./main.ts');
