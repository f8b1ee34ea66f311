import type { Problem } from '../../crash/check.ts';

/** What the searches in one mutated copy came to. */
export type SearchResult = {
  /** Runs of the real app with crashes or freezes. */
  crash: { runs: number; seconds: number; found?: { run: number; problems: Problem[] } };
  /** Steps of the model taken by the real code. */
  histories: { seconds: number; found?: string };
};
