import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Database } from '../database.ts';

/**
 * The same database, for writes that don't wait for the disk. A process that is killed loses none of them; after a
 * power failure the last ones may be lost, but none that was followed by a flushed write. It makes no difference in
 * a transaction or on Postgres.
 *
 * Kysely passes a query's ID from plugins to drivers; package.json pins its minor version because of that.
 */
export const unflushed = (db: Database): Database => db.withPlugin(MARK);

/** For the driver, which sees only a query's text and ID. */
export const isUnflushed = ({ queryId }: CompiledQuery): boolean => marked.has(queryId);

const marked = new WeakSet<CompiledQuery['queryId']>();

const MARK: KyselyPlugin = {
  transformQuery({ node, queryId }) {
    marked.add(queryId);
    return node;
  },
  transformResult: async ({ result }) => result,
};
