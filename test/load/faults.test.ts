import { describe, it } from 'vitest';
import { expectToPass, TRIES } from '../faults/expect-to-pass.ts';
import { LOAD_ROWS } from '../faults/rows.ts';

describe('the app under load, as a separate process', TRIES, () => {
  it.concurrent.each(LOAD_ROWS)('passes row $row: $title', expectToPass);
});
