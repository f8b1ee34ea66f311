/** Who sends and who receives. */
export type Party = 'slack' | 'app' | 'service';

/** One exchange between two parties, in one line. */
export type LogRow = {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  from: Party;
  to: Party;
  title: string;
  /** A short description; may be empty. */
  about: string;
  /** The result in a word or two; undefined while it is in progress. */
  outcome: string | undefined;
  isGood: boolean;
  /** Real milliseconds until the answer. */
  ms: number | undefined;
  /** How long Slack waits for this answer, in ms; undefined if it doesn't wait. */
  limitMs: number | undefined;
};

export type LogSnapshot = { rows: LogRow[] };

/** A message in full, as far as it was kept. */
export type LogMessage = { head: string; body: unknown };

/** Both messages of an exchange. */
export type LogDetail = { request: LogMessage; answers: LogMessage[] };
