import { flushCompileCache } from 'node:module';

/**
 * Tidies up once, when the app is ready: keeps for the next start what was compiled, since how this
 * process ends nobody knows yet, and gives back what loading the code left behind, 20 MB that an idle
 * process would keep. The second needs Node's `--expose-gc`, and is left out without it.
 */
export function tidyUpAfterStart(): void {
  flushCompileCache();
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
