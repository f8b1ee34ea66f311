type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Items per commit. Jobs are rows of one statement, with far fewer parameters than SQLite and Postgres allow. */
const MAX_TOGETHER = 500;

/**
 * Group commit: writes items that arrive together in one commit, which waits for the disk once; if
 * that fails, each alone. `write` makes one transaction; its results are in the same order.
 */
export function commitTogether<Item, Result>(
  write: (items: readonly Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) await writeBatch(waiting.splice(0, MAX_TOGETHER));
    writing = false;
  }

  async function writeBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(batch.map(({ item }) => item));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else for (const one of batch) await writeBatch([one]);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (writing) return;
      writing = true;
      // By then, whatever arrives in this turn of the event loop is waiting.
      setImmediate(writeAll);
    });
}
