import { expect, test } from 'vitest';
import { json, startServer } from './local-server.ts';
import { clientOf, failureOf } from './test-client.ts';

test('the first of several entries with one ID counts', async () => {
  const data = [
    { id: 7, name: 'First' },
    { id: 8, name: 'Eight' },
    { id: '7', name: 'Second' },
  ];
  const server = await startServer(json(200, { data }));
  expect(await clientOf(server.baseUrl).listBrands()).toEqual([
    { id: '7', name: 'First' },
    { id: '8', name: 'Eight' },
  ]);
});

test('entries without an ID are left out, and numeric IDs become text', async () => {
  const data = [
    { id: 7, name: 'Seven' },
    { name: 'no id' },
    null,
    'text',
    { id: '', name: 'blank' },
    { id: 2 ** 60, name: 'past exactness' },
    { id: 'x' },
  ];
  const server = await startServer(json(200, { data }));
  expect(await clientOf(server.baseUrl).listBrands()).toEqual([
    { id: '7', name: 'Seven' },
    { id: 'x', name: 'x' },
  ]);
});

test.each([
  [
    '/card-types',
    { id: 't1', name: 'Banner', products: ['Graphics'], formats: 'PNG, JPG', softwares: null },
    { id: 't1', name: 'Banner', products: ['Graphics'], formats: ['PNG', 'JPG'], softwares: [] },
  ],
  [
    '/tags',
    { id: 'g1', name: 'Print', bg_color: '#fff', text_color: null },
    { id: 'g1', name: 'Print', color: '#fff' },
  ],
])('%s are read with what belongs to them', async (url, entry, read) => {
  const server = await startServer(json(200, { data: [entry] }));
  const client = clientOf(server.baseUrl);
  const list = url === '/tags' ? client.listTags() : client.listRequestTypes();
  expect(await list).toEqual([read]);
  expect(server.requests[0]?.url).toBe(url);
});

test.each([[{}], ['text']])('a list answered with data %j is unreadable', async (data) => {
  const server = await startServer(json(200, { data }));
  const error = await failureOf(clientOf(server.baseUrl).listTags());
  expect(error).toMatchObject({ code: 'unreadable_answer', operation: 'listTags' });
});

const TASK = { id: 5, title: 'Banner', description: '<p>DR-1</p>' };

test.each([
  ['data', { data: [TASK] }],
  ['data.items', { data: { items: [TASK] } }],
  ['data.tasks', { data: { total: 1, tasks: [TASK] } }],
  ['data.cards', { data: { cards: [TASK] } }],
  ['data.data', { data: { data: [TASK] } }],
  ['data.results', { data: { results: [TASK] } }],
  ['tasks', { tasks: [TASK] }],
  ['a bare list', [TASK]],
])('a task listing is found in %s', async (_, body) => {
  const server = await startServer(json(200, body));
  const client = clientOf(server.baseUrl);
  expect(await client.listTasks({ projectId: 'p 1', perPage: 20 })).toEqual({
    items: [{ id: '5', title: 'Banner', descriptionHtml: '<p>DR-1</p>' }],
  });
  expect(server.requests[0]?.url).toBe('/tasks?projectId=p+1&perPage=20');
});

test.each([[{ status: true }], [{ data: { page: 1 } }], [null]])(
  'a task listing answered with %j is unreadable',
  async (body) => {
    const server = await startServer(json(200, body));
    const listing = clientOf(server.baseUrl).listTasks({ projectId: 'p' });
    await expect(listing).rejects.toMatchObject({ code: 'unreadable_answer' });
  },
);

test('entries of a task listing that are no tasks are left out', async () => {
  const server = await startServer(json(200, { data: ['id-1'] }));
  const listing = await clientOf(server.baseUrl).listTasks({ projectId: 'p' });
  expect(listing).toEqual({ items: [] });
});
