import { CamelCasePlugin, type UnknownRow } from 'kysely';

const IS_TIME = /(At|Until|Since)$/;

/**
 * In the databases, names of columns are in snake case, times are in ms since 1970, so that both databases compare them
 * alike, and what is missing is null. In TypeScript, names are in camel case, times are a `Date` (`storable` turns them
 * back), and what is missing is undefined.
 */
export class ColumnsPlugin extends CamelCasePlugin {
  protected override mapRow(row: UnknownRow): UnknownRow {
    const mapped: UnknownRow = {};
    for (const [column, value] of Object.entries(row)) {
      const name = this.camelCase(column);
      const isTime = typeof value === 'number' && IS_TIME.test(name);
      if (value !== null) mapped[name] = isTime ? new Date(value) : value;
    }
    return mapped;
  }
}
