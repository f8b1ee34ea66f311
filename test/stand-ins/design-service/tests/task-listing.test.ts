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
