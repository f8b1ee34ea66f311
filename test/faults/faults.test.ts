import { describe, it } from 'vitest';
import { expectToPass, TRIES } from './expect-to-pass.ts';
import { ROWS } from './rows.ts';

describe('the app under faults, as a separate process', TRIES, () => {
  it.concurrent.each(ROWS)('passes row $row: $title', expectToPass);
});
