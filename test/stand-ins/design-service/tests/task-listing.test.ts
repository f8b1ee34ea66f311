import { expect, test } from 'vitest';
import { call, serviceFor } from './calling.ts';

test('never lists another account’s cards, and refuses its projects', async () => {
  const service = await serviceFor();
  const all = await call(service, '/tasks?perPage=100');
  expect(all.text).not.toContain('secret rebrand');
  expect((await call(service, '/tasks?projectId=project-2')).status).toBe(403);
});

test.each([
  ['not-found', 404],
  ['forbidden', 403],
  ['invalid', 400],
  ['empty', 200],
] as const)('a project that nobody has is answered as %s', async (unknownProject, status) => {
  const service = await serviceFor();
  service.answers.unknownProject = unknownProject;
  expect((await call(service, '/tasks?projectId=unknown')).status).toBe(status);
});

test.each(['0', '-1', '1.5', 'many', ''])('perPage=%s gets 400', async (perPage) => {
  const service = await serviceFor();
  const answer = await call(service, `/tasks?perPage=${perPage}`);
  expect(answer.status).toBe(400);
  expect(answer.json).toHaveProperty('details.perPage');
});

const TASK = expect.objectContaining({ title: 'A' });

test.each([
  ['data-array', 200, { data: [TASK] }],
  ['data-items', 200, { data: { items: [TASK] } }],
  ['bare-array', 200, [TASK]],
  ['paginated', 200, { data: [TASK], meta: { page: 1, perPage: 1, total: 2, totalPages: 2 } }],
  ['empty-object', 200, {}],
  ['not-found', 404, expect.objectContaining({ status: false, statusCode: 404 })],
  ['html', 200, undefined],
] as const)('the listing can be answered as %s', async (shape, status, json) => {
  const service = await serviceFor({ seed: 'empty' });
  service.answers.tasksShape = shape;
  service.cards.add({ title: 'B' });
  service.cards.add({ title: 'A' });
  const answer = await call(service, '/tasks?projectId=project-1&perPage=1');
  expect(answer.status).toBe(status);
  expect(answer.json).toEqual(json);
  expect(answer.headers.get('content-type')).toMatch(shape === 'html' ? /html/ : /json/);
});
