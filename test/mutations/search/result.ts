import type { Problem } from '../../crash/check.ts';

/** What a search for a run with a problem came to. */
export type SearchResult = {
  runs: number;
  seconds: number;
  found?: { run: number; problems: Problem[] };
};
