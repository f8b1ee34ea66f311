import { expect, test } from 'vitest';
import { call, serviceFor, standingClock } from './calling.ts';

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

test.each([
  ['UTC', '2026-01-05T00:07:59Z', '05-Jan-2026 12:07 AM'],
  ['UTC', '2026-05-31T12:00:00Z', '31-May-2026 12:00 PM'],
  ['America/New_York', '2026-07-01T03:30:00Z', '30-Jun-2026 11:30 PM'],
  ['Asia/Kolkata', '2026-02-28T18:45:00Z', '01-Mar-2026 12:15 AM'],
])('timestamps are written in the time zone %s', async (timezone, moment, written) => {
  const { clock } = standingClock(moment);
  const service = await serviceFor({ timezone, clock, seed: 'empty' });
  const card = service.cards.add({ title: 'A' });
  const task = dataOf((await call(service, `/card/${card.id}`)).json);
  expect(task).toMatchObject({ created_at: written, updated_at: written });
});

test.each([
  [{ brandShape: 'null' }, { brand: null }],
  [{ brandShape: 'string-id' }, { brand: 'brand-1' }],
  [{ brandShape: 'string-name' }, { brand: 'Acme' }],
  [{ brandShape: 'object' }, { brand: { id: 'brand-1', name: 'Acme' } }],
  [{ brandShape: 'number' }, { brand: 1 }],
  [{ createdByShape: 'null' }, { created_by: null }],
  [{ createdByShape: 'string' }, { created_by: 'Ana' }],
  [{ createdByShape: 'object' }, { created_by: { id: 'u', name: 'Ana' } }],
  [{ requestTypeShape: 'null' }, { request_type: null }],
  [{ requestTypeShape: 'string' }, { request_type: 'Social media' }],
  [{ requestTypeShape: 'object' }, { request_type: { id: 'type-social', name: 'Social media' } }],
  [{ dueDateShape: 'null' }, { due_date: null }],
  [{ dueDateShape: 'timestamp' }, { due_date: '04-Mar-2026 05:06 PM' }],
  [{ dueDateShape: 'iso' }, { due_date: '2026-03-04T17:06:07.000Z' }],
  [{ dueDateShape: 'unix-seconds' }, { due_date: 1_772_643_967 }],
  [{ dueDateShape: 'unix-ms' }, { due_date: 1_772_643_967_000 }],
  [{ dueDateShape: 'object' }, { due_date: { date: '2026-03-04', timezone: 'UTC' } }],
  [{ dueDateShape: 'nonsense' }, { due_date: 'when it is ready' }],
  [{ labelsShape: 'string' }, { labels: 'A' }],
  [{ labelsShape: 'comma-list' }, { labels: 'A, B' }],
  [{ labelsShape: 'array' }, { labels: ['A', 'B'] }],
  [{ labelsShape: 'null' }, { labels: null }],
  [{ tagsShape: 'string' }, { tags: '' }],
  [{ tagsShape: 'comma-list' }, { tags: '' }],
  [{ tagsShape: 'array' }, { tags: [] }],
  [{ filesShape: 'null' }, { files: null }],
  [{ filesShape: 'array' }, { files: [] }],
  [{ statusShape: 'null' }, { status: null }],
  [{ statusShape: 'string' }, { status: 'To do' }],
  [{ unknownFields: true }, { revision: 7, status: { name: 'To do', revision: 7 } }],
] as const)('switched to %j, a card shows %j', async (answers, shown) => {
  const service = await serviceFor();
  Object.assign(service.answers, answers);
  const { id } = service.cards.add(CARD);
  expect(dataOf((await call(service, `/card/${id}`)).json)).toMatchObject(shown);
});

const CARD = {
  title: 'A',
  brandId: 'brand-1',
  requestTypeId: 'type-social',
  createdBy: { id: 'u', name: 'Ana' },
  labels: ['A', 'B'],
  dueDate: new Date('2026-03-04T17:06:07Z'),
};

test('labels can be objects, and files can be missing', async () => {
  const service = await serviceFor();
  service.answers.labelsShape = 'array-of-objects';
  service.answers.filesShape = 'missing';
  const { id } = service.cards.add(CARD);
  const task = dataOf((await call(service, `/card/${id}`)).json);
  expect(task.labels).toEqual([
    { id: '1', name: 'A' },
    { id: '2', name: 'B' },
  ]);
  expect(task).not.toHaveProperty('files');
});

function dataOf(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null || !('data' in json)) throw new Error('No data.');
  if (typeof json.data !== 'object') throw new Error('The data is no object.');
  return { ...json.data };
}
