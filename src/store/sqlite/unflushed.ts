import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Database } from '../database.ts';

/**
 * The same database, for writes that need not be on disk when they return. SQLite writes them to its log
 * like any other, in the same order, but does not wait for the disk: a process that is killed loses none
 * of them, a machine that loses its power may lose the last, and never one that a flushed write follows.
 * In a transaction and on Postgres it makes no difference.
 */
export const unflushed = (db: Database): Database => db.withPlugin(MARK);

/** For the driver, which sees no more of a query than its text and its name. */
export const isUnflushed = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);

const marked = new WeakSet<CompiledQuery['queryId']>();

const MARK: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    marked.add(queryId);
    return node;
  },
  transformResult: async ({ result }) => result,
};
