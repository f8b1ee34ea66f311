import type { Catalogue } from './catalogue.ts';

/** A form that nobody opened for long shows lists of about this age at most. */
const WARM_EVERY_MS = 30 * 60_000;

/** Keeps lists from growing old where no form is opened. @returns ends it */
export function keepWarm(catalogue: Pick<Catalogue, 'warmAgain'>): () => void {
  const timer = setInterval(() => void catalogue.warmAgain(), WARM_EVERY_MS);
  return () => clearInterval(timer);
}
