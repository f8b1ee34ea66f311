/** The database of an app, as the test uses it. */
export type CrashDatabase = {
  /** DATABASE_URL of the process that starts next. */
  url(): string;
  /** To be called when its process is killed; leaves exactly what `kill -9` would. */
  afterKill(): void;
  /** Lets so many ms pass if the database has its own clock. */
  passTime(ms: number): Promise<void>;
  /** How many statements wait for another process's lock. */
  waitingForLocks(): Promise<number>;
  /** Reads committed data. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
};
