import { CamelCasePlugin, type UnknownRow } from 'kysely';

const IS_TIME = /(At|Until|Since)$/;

/**
 * The databases name columns in snake case, have times in ms since 1970, so that both compare them alike, and null. In
 * TypeScript these are camel case, dates (`storable` turns them back), and undefined.
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
