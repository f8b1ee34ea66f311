import { expect, it } from 'vitest';
import { holds } from './row.ts';
import { countStatements } from './rows/statements.ts';

it('counts as many SQL statements for a request and an unfurl as planned, each explained', async () => {
  const measured = await countStatements();
  expect(measured).toHaveLength(3);
  expect(measured.filter((one) => !holds(one))).toEqual([]);
});
