import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What the app is ready without, and what the first form and the first card would have to wait for. */
const READ_WHEN_READY: readonly (() => Promise<unknown>)[] = [
  () => import('../store/jwe.ts'),
  () => import('../design-api/client.ts'),
  () => import('../design-api/http-exchange.ts'),
  () => import('parse5'),
];

/**
 * Tidies up once, when the app is ready: reads the code that was left for later, keeps for the next start
 * what was compiled, since how this process ends nobody knows yet, and gives back what loading the code
 * left behind, 20 MB that an idle process would keep. The last needs Node's `--expose-gc`, and is left out
 * without it.
 */
export async function tidyUpAfterStart(): Promise<void> {
  for (const read of READ_WHEN_READY) {
    // Whoever asks for something meanwhile is answered in between.
    await nextTurn();
    await read();
  }
  flushCompileCache();
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
}
