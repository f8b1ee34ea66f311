import { sql } from 'kysely';
import { readArguments } from '../../../src/commands/read-arguments.ts';
import { migrate, openDatabase } from '../../../src/store/database.ts';
import { createStores } from '../../../src/store/stores.ts';
import { wholeNumber } from '../../choose.ts';
import { startPostgres } from '../../postgres/server.ts';
import { encryptionKey } from '../../store/stores-under-test.ts';
import { explain, type Plan, recordedDuring } from './explain.ts';
import { fillPostgres } from './fill.ts';
import { HOT } from './hot-statements.ts';

const USAGE = `npm run tool -- plans [--jobs 10000000 --installations 100000 --others 1000000]

Fills a real Postgres, and prints how it executes each statement that the app makes again and again: the index, the rows
and pages that it reads, and the time, each with warm caches. Needs 1 GB of disk for a million jobs.`;

const print = (line: string) => process.stdout.write(`${line}\n`);

const { values: given } = readArguments(USAGE, {
  jobs: { type: 'string' },
  installations: { type: 'string' },
  others: { type: 'string' },
});

const size = {
  installations: wholeNumber(USAGE, given, 'installations', { least: 1 }) ?? 100_000,
  jobs: wholeNumber(USAGE, given, 'jobs', { least: 1 }) ?? 10_000_000,
  others: wholeNumber(USAGE, given, 'others', { least: 1 }) ?? 1_000_000,
};
const server = await startPostgres();
try {
  await showPlans(`${server.url}/postgres`);
} finally {
  await server.stop();
}

async function showPlans(url: string): Promise<void> {
  const db = openDatabase({ url }, { patient: true });
  const now = new Date();
  const started = performance.now();
  await migrate(db);
  await fillPostgres(db, size, now);
  const seconds = Math.round((performance.now() - started) / 1_000);
  print(
    `${size.installations} installations, ${size.jobs} jobs, ${size.others} rows in each other`,
  );
  print(`growing table: ${await sizeOf(db)}, filled in ${seconds} s`);
  print(`Bytes for each row, with its indexes: ${await rowSizesOf(db)}\n`);
  const stores = createStores(db, [encryptionKey('k1')]);
  const plans: [what: string, plan: Plan][] = [];
  for (const [what, use] of Object.entries(HOT)) {
    const recorded = await recordedDuring(() => use({ db, stores, now }));
    const distinct = new Map(recorded.map((one) => [one.sql, one]));
    for (const one of distinct.values()) {
      await explain(db, one);
      const plan = await explain(db, one);
      plans.push([what, plan]);
      print(`${what}\n    ${plan.sql.replaceAll(/\s+/g, ' ')}\n    ${planAsText(plan)}\n`);
    }
  }
  print('| Statement | Read by | Rows | Pages | ms |\n|---|---|---|---|---|');
  for (const [what, { reads, rows, pages, ms }] of plans) {
    print(`| ${what} | ${reads.join(', ') || '–'} | ${rows} | ${pages} | ${ms.toFixed(2)} |`);
  }
  const whole = plans.filter(([, { scanned }]) => scanned.length > 0);
  print(`\nTables read as a whole: ${whole.map(([what]) => what).join(', ') || 'none'}`);
  await db.destroy();
}

async function rowSizesOf(db: ReturnType<typeof openDatabase>): Promise<string> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select relname as name, round(pg_total_relation_size(oid) / reltuples) as bytes
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples > 1000
    order by 2 desc`.execute(db);
  return rows.map(({ name, bytes }) => `${name} ${bytes}`).join(', ');
}

async function sizeOf(db: ReturnType<typeof openDatabase>): Promise<string> {
  const { rows } = await sql<{ size: string }>`
    select pg_size_pretty(pg_database_size(current_database())) as size`.execute(db);
  return rows[0]?.size ?? '';
}

function planAsText({ reads, rows, pages, ms }: Plan): string {
  return `${reads.join(', ') || 'no table is read'}: ${rows} rows, ${pages} pages, ${ms} ms`;
}
