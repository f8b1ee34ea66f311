import type { Problem } from '../crash/check.ts';

/** A safeguard of the code, and an edit that takes it out. */
export type Mutation = {
  /** What it ensures, in the model's words if the model has it. */
  safeguard: string;
  file: string;
  /** Must occur exactly once in the file. */
  text: string;
  replacement: string;
  search: Search;
  /** For a mutation that the crash run does not find: what makes up for it, or which test fails instead. */
  otherwise?: string;
};

/** Which crash runs look for a problem. */
export type Search = {
  /** Scenarios whose names contain this, crashed once at each moment that leaves other data behind. */
  oneCrash?: string;
  /** Also at moments that leave the same data behind. */
  everyMoment?: boolean;
  /** Seeded runs of two requests with two crashes. */
  twoCrashes?: number;
  /** Seeded runs of two processes on Postgres. */
  twoProcesses?: number;
  /** Of these, only scenarios whose names contain this. */
  scenarioOfTwoProcesses?: string;
};

/** @throws if the text does not occur exactly once: the code has changed since the mutation was written */
export function mutate(source: string, { file, text, replacement, safeguard }: Mutation): string {
  const occurrences = source.split(text).length - 1;
  if (occurrences === 1) return source.replace(text, () => replacement);
  throw new Error(`“${safeguard}” is stale: its text occurs ${occurrences} times in ${file}`);
}

/** What the runs of the app in one mutated copy came to. */
export type SearchResult = {
  runs: number;
  seconds: number;
  found?: { run: number; problems: Problem[] };
};
