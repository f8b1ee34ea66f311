import { describe, it } from 'vitest';
import { expectToPass, TRIES } from './expect-to-pass.ts';
import { LOAD_ROWS, ROWS } from './rows.ts';

const OTHERS = ROWS.filter((row) => !LOAD_ROWS.includes(row));

describe('the app under faults, as a separate process', TRIES, () => {
  it.concurrent.each(OTHERS)('passes row $row: $title', expectToPass);
});
