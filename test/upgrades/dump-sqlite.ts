import { DatabaseSync } from 'node:sqlite';

/** The SQL that makes an equal database: its tables and indexes as they were created, and its rows. */
export function dumpSqlite(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    return [...schemaOf(db, 'table'), ...rowsOf(db), ...schemaOf(db, 'index'), ''].join('\n');
  } finally {
    db.close();
  }
}

/** What a database consists of besides its rows. */
export function sqliteSchema(path: string): string[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const indexes = schemaOf(db, 'index').map((sql) => sql.replace(/\s+/g, ' '));
    return [...columnsOf(db), ...indexes].sort();
  } finally {
    db.close();
  }
}

export function restoreSqlite(path: string, dump: string): void {
  const db = new DatabaseSync(path);
  db.exec(`begin; ${dump} commit;`);
  db.close();
}

/** However the statements that declared them were written, and whatever was added since. */
function columnsOf(db: DatabaseSync): string[] {
  const columns = db.prepare(
    `select tables.name as "table", columns.name, columns.type, "notnull", dflt_value, pk,
        sql like '%autoincrement%' as counts, sql like '%collate binary%' as compares_bytes
      from sqlite_master as tables join pragma_table_info(tables.name) as columns
      where tables.type = 'table'`,
  );
  return columns.all().map((column) => JSON.stringify(column));
}

/** SQLite makes its own tables, such as that of the last automatic IDs, and indexes for keys. */
function schemaOf(db: DatabaseSync, type: 'table' | 'index'): string[] {
  return db
    .prepare(
      `select sql from sqlite_master where type = ? and sql is not null and name not like 'sqlite_%' order by rowid`,
    )
    .all(type)
    .map(({ sql }) => `${sql};`);
}

function rowsOf(db: DatabaseSync): string[] {
  const tables = db.prepare(`select name from sqlite_master where type = 'table' order by rowid`);
  return tables.all().flatMap(({ name }) => {
    const columns = db.prepare(`select name from pragma_table_info(?)`).all(String(name));
    const values = columns.map((column) => `quote("${column.name}")`).join(` || ', ' || `);
    return db
      .prepare(`select ${values} as row from "${name}" order by rowid`)
      .all()
      .map(({ row }) => `insert into "${name}" values (${row});`);
  });
}
