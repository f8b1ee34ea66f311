import { DatabaseBusyError } from './sqlite/busy.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Rows of one statement; far below what SQLite and Postgres bind at most. */
const MOST_TOGETHER = 500;

/**
 * Writes what arrives together in one commit: a commit waits for the disk, however much is in it.
 *
 * @param write writes all items in one transaction and gives their results in the same order
 * @returns writes one item; resolves when it is on disk. Where a common write fails, each item is
 *   written by itself, so that none suffers from another, unless the database is locked for all.
 */
export function commitTogether<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_TOGETHER);
      waiting = waiting.slice(MOST_TOGETHER);
      await writeBatch(batch);
    }
    writing = false;
  }

  async function writeBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      await afterFailure(batch, error);
    }
  }

  async function afterFailure(batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    // By themselves they would wait for a lock just as long, one after the other.
    const sharesItsCause = batch.length === 1 || error instanceof DatabaseBusyError;
    for (const one of batch) {
      if (sharesItsCause) one.reject(error);
      else await writeBatch([one]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (writing) return;
      writing = true;
      // What else has arrived by now is read before the next turn of the event loop.
      setImmediate(writeAll);
    });
}
