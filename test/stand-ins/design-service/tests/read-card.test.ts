import { expect, test } from 'vitest';
import { call, serviceFor } from './calling.ts';

const TASK_FIELDS = [
  ...['id', 'title', 'description', 'request_type', 'product_type', 'dimensions', 'created_by'],
  ...['labels', 'tags', 'text_copy', 'file_formats', 'software', 'status', 'due_date'],
  ...['created_at', 'updated_at', 'files', 'brand'],
];

test('a card has exactly the fields of a task, in the general envelope', async () => {
  const service = await serviceFor();
  for (const { id } of service.cards.all().filter((card) => card.account === 'account-1')) {
    const { json } = await call(service, `/card/${id}`);
    expect(json).toMatchObject({ status: true, data: { id } });
    expect(Object.keys(dataOf(json))).toEqual(TASK_FIELDS);
  }
});

test('an unknown card gets 404', async () => {
  const service = await serviceFor();
  const answer = await call(service, '/card/none');
  expect(answer.status).toBe(404);
  expect(answer.json).toMatchObject({ status: false, error: 'Not Found', statusCode: 404 });
});

function dataOf(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || !('data' in json)) throw new Error('No data.');
  if (typeof json.data !== 'object') throw new Error('The data is no object.');
  return { ...json.data };
}
