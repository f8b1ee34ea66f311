/** Who sends and who is sent to. */
export type Party = 'slack' | 'app' | 'service';

/** One exchange between two parties, in a line. */
export type LogRow = {
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
  from: Party;
  to: Party;
  title: string;
  /** What it was about, in a few words; may be empty. */
  about: string;
  /** What came back, in a word or two; undefined while it is under way. */
  outcome: string | undefined;
  isGood: boolean;
  /** Real milliseconds until the answer. */
  ms: number | undefined;
  /** How long Slack waits for this answer, in ms; undefined where it does not count. */
  limitMs: number | undefined;
};

export type LogSnapshot = { rows: LogRow[] };

/** A message in full, as far as it was kept. */
export type LogMessage = { head: string; body: unknown };

/** What was said on both sides. */
export type LogDetail = { request: LogMessage; answers: LogMessage[] };
