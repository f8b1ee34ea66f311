import { sql } from 'kysely';
import type { Log } from '../../ops/logging.ts';
import type { Database } from '../database.ts';
import { engineOf } from '../rows.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Everything else waits while the file is rewritten, for about 20 ms per MB. */
const LARGEST_REWRITTEN_BYTES = 16 * 1024 * 1024;

export type Eraser = ReturnType<typeof createEraser>;

/**
 * Removes the bytes of deleted rows from the files of an SQLite database. `secure_delete` overwrites deleted rows, but
 * copies stay in the write-ahead log until it is truncated, and inside pages when SQLite redistributes rows among them.
 * VACUUM rewrites every page. Postgres reclaims the space of deleted rows by its own rules.
 */
export function createEraser(
  db: Database,
  { now, log, largest = LARGEST_REWRITTEN_BYTES }: { now: () => Date; log: Log; largest?: number },
) {
  let rewrittenAt = 0;

  /** Empties the log, and once a day rewrites the file, unless it is too large. */
  async function erase(): Promise<void> {
    if (engineOf(db) === 'postgres') return;
    try {
      const at = now().getTime();
      if (Math.abs(at - rewrittenAt) >= DAY_MS) {
        if ((await usedBytes(db)) <= largest) await sql`vacuum`.execute(db);
        rewrittenAt = at;
      }
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (rows[0]?.busy !== 0) throw new Error('another program is reading the database file');
    } catch (error) {
      log.warn({ err: error }, 'could not erase deleted rows from the database file yet');
    }
  }

  return {
    erase,
    rewriteFile() {
      rewrittenAt = 0;
      return erase();
    },
  };
}

async function usedBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(db);
  return rows[0]?.bytes ?? 0;
}
