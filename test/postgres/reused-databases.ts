import pg from 'pg';
import { freshDatabase } from './fresh-database.ts';

type Reused = Awaited<ReturnType<typeof create>>;

/** What tests have left as they found it. */
const unused: Reused[] = [];

/** Whatever a test may change besides rows. A large table that was analyzed has other plans. */
const ALL_BUT_ROWS = `select concat_ws(' ',
  (select count(*) from pg_attribute), (select count(*) from pg_proc), (select count(*) from pg_trigger),
  (select count(*) from pg_db_role_setting), (select count(*) from kysely_migration),
  (select sum(relpages) from pg_class where relnamespace = 'public'::regnamespace)) as found`;

const END_OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

const EMPTY = `do $$ declare name text; begin
  for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
    execute format('delete from %I', name);
  end loop;
  perform setval(seqrelid, seqstart, false) from pg_sequence;
end $$`;

/**
 * A copy of a template: one that an earlier test of this worker used and that is empty again, since creating and
 * dropping one takes longer than most tests.
 *
 * @returns its URL, and a function to call when the test is over
 */
export async function reusedDatabase(server: string, template: string) {
  const found = unused.findIndex((one) => one.template === template);
  const [again] = found === -1 ? [] : unused.splice(found, 1);
  const database = again ?? (await create(server, template));
  return { url: database.url, giveBack: () => giveBack(database) };
}

async function create(server: string, template: string) {
  const { url, drop } = await freshDatabase(server, template);
  // For emptying it; connecting takes longer than that.
  const client = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    allowExitOnIdle: true,
  });
  // The server may end before this worker.
  client.on('error', () => undefined);
  return { url, drop, client, made: await allButRows(client), template };
}

async function giveBack(database: Reused): Promise<void> {
  if (await isAsMade(database).catch(() => false)) {
    unused.push(database);
    return;
  }
  await database.client.end();
  await database.drop();
}

async function isAsMade({ client, made }: Reused): Promise<boolean> {
  await client.query(END_OTHERS);
  await client.query(EMPTY);
  return (await allButRows(client)) === made;
}

const allButRows = async (client: pg.Pool): Promise<string> =>
  (await client.query(ALL_BUT_ROWS)).rows[0].found;
