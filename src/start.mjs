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
// Bolt is CommonJS: read before the hook, which each of its `require`s would only pass through.
createRequire(import.meta.url)('@slack/bolt/dist/App');

// ES modules name the files beside them in full. Node looks each up at every import of it all the same,
// several times on the disk: a tenth of the start, with Kysely's 250 files and as many of ours.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && context.conditions.includes('import')
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context),
});

await import('./main.ts');
