import { createRequire, enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Starts `main.ts` with what Node compiled at an earlier start. JavaScript, because Node would otherwise
 * load its TypeScript reader for this file already: 25 MB and a fifth of a second. Where nothing can be
 * written the app starts all the same, as slowly as the first time; NODE_COMPILE_CACHE names another place.
 */
enableCompileCache(
  fileURLToPath(new URL('../node_modules/.cache/design-request', import.meta.url)),
);
/** `z.locales`, which this app never asks for; the English texts zod takes from their own file. */
const ZOD_IN_60_LANGUAGES = '/zod/v4/locales/index.js';
const EMPTY_MODULE = 'data:text/javascript,';

// Bolt is CommonJS: read before the hook, which each of its `require`s would only pass through.
createRequire(import.meta.url)('@slack/bolt/dist/App');

// ES modules name the files beside them in full. Node looks each up at every import of it all the same,
// several times on the disk, and in each folder above for what kind of package it is in: a seventh of the
// start, with Kysely's 250 files and as many of ours.
registerHooks({
  resolve(specifier, context, next) {
    const isBeside = specifier.startsWith('.') && context.conditions.includes('import');
    if (!isBeside) return next(specifier, context);
    const { href } = new URL(specifier, context.parentURL);
    const url = href.endsWith(ZOD_IN_60_LANGUAGES) ? EMPTY_MODULE : href;
    return { url, format: formatOf(href, context.parentURL), shortCircuit: true };
  },
});

/** Undefined where Node has to look: an `.mjs` may import the CommonJS `.js` beside it. */
function formatOf(url, importedBy) {
  if (url.endsWith('.ts')) return 'module-typescript';
  return url.endsWith('.js') && importedBy.endsWith('.js') ? 'module' : undefined;
}

await import('./main.ts');
