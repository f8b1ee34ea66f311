/** The database that an app works on, as the test sees it. */
export type CrashDatabase = {
  /** DATABASE_URL of the process that starts next. */
  url(): string;
  /** Leaves behind, of the process that works on it, exactly what `kill -9` leaves. */
  afterKill(): void;
  /** Lets time go by where the database has a clock of its own, in ms. */
  passTime(ms: number): Promise<void>;
  /** How many statements wait for a lock that another process has. */
  waitingForLocks(): Promise<number>;
  /** Reads what was committed. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};
