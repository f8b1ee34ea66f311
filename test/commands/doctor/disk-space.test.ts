import { describe, expect, it } from 'vitest';
import { spaceFor } from '../../../src/commands/doctor/database.ts';

/** A tenth of a disk of 64 GiB with blocks of 4 KiB. */
const TENTH = 1_677_722;
const blocks = 16_777_216;

describe('the free space of the database’s disk', () => {
  it.each([
    [0, 'Only 0% of the disk with /data/app.db is free.'],
    [TENTH - 1, 'Only 9% of the disk with /data/app.db is free.'],
  ])('is a warning if %d blocks are left', (bavail, problem) => {
    expect(spaceFor('/data/app.db', { bavail, blocks })).toMatchObject({
      result: 'warning',
      problem: expect.stringContaining(problem),
    });
  });

  it('is enough from a tenth on, or if the file system doesn’t say', () => {
    for (const disk of [
      { bavail: TENTH, blocks },
      { bavail: 0, blocks: 0 },
    ])
      expect(spaceFor('/data/app.db', disk)).toMatchObject({ result: 'passed' });
  });
});
