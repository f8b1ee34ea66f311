import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { type DatabaseStep, timedDialect } from '../../src/store/timed-dialect.ts';
import { temporaryDatabase } from './sqlite-files.ts';

it('times each step, with failures, and leaves alone what the database answers', async () => {
  const { path } = await temporaryDatabase();
  const steps: [DatabaseStep, isFailed: boolean][] = [];
  const db = openDatabase(
    { path },
    {
      wrapDialect: (dialect) =>
        timedDialect(dialect, (step, seconds, error) => {
          expect(seconds).toBeGreaterThanOrEqual(0);
          steps.push([step, error !== undefined]);
        }),
    },
  );
  onTestFinished(() => db.destroy());
  const replica = { id: 'a', alive_until: 1 };
  const insert = () => db.insertInto('replicas').values(replica).execute();
  const took = async (work: Promise<unknown>) => {
    const outcome = await work.then(
      () => 'done',
      () => 'failed',
    );
    return { outcome, steps: steps.splice(0) };
  };
  expect(await took(insert())).toEqual({
    outcome: 'done',
    steps: [
      ['connect', false],
      ['write', false],
    ],
  });
  expect(await took(insert())).toEqual({
    outcome: 'failed',
    steps: [
      ['connect', false],
      ['write', true],
    ],
  });
  const inTransaction = db.transaction().execute(async (tx) => {
    expect(await tx.selectFrom('replicas').selectAll().execute()).toEqual([replica]);
    await tx.deleteFrom('replicas').execute();
  });
  expect(await took(inTransaction)).toEqual({
    outcome: 'done',
    steps: [
      ['connect', false],
      ['begin', false],
      ['read', false],
      ['write', false],
      ['commit', false],
    ],
  });
});
