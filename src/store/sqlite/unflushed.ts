import { type CompiledQuery, sql } from 'kysely';

const COMMENT = '/* unflushed */';

/**
 * Ends a write that doesn't wait for the disk. A process that is killed loses none of them; after a power failure the
 * last ones may be lost, but none that was followed by a flushed write. It makes no difference in a transaction or on
 * Postgres.
 */
export const UNFLUSHED = sql.raw(COMMENT);

export const isUnflushed = (query: CompiledQuery): boolean => query.sql.endsWith(COMMENT);
