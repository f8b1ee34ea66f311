import { CamelCasePlugin, type UnknownRow } from 'kysely';

const IS_TIME = /(At|Until|Since)$/;

/**
 * The databases have snake case, null, and times in ms since 1970, which both compare alike. TypeScript has camel case,
 * undefined, and a `Date` (`storable` turns it back).
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
