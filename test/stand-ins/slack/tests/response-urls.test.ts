import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });

async function fromCommand() {
  const setting = await setUp();
  const { responseUrl } = await setting.person.command(setting.marketing);
  return { ...setting, responseUrl };
}

test('a response_url works five times', async () => {
  const { responseUrl, workspace, ann } = await fromCommand();
  for (let use = 1; use <= 5; use += 1) {
    expect((await post(responseUrl, { text: `${use}` })).status).toBe(200);
  }
  expect((await post(responseUrl, { text: '6' })).status).toBe(404);
  expect(workspace.ephemerals(ann)).toHaveLength(5);
});

test('a response_url works for thirty minutes', async () => {
  const { responseUrl, pass } = await fromCommand();
  pass(30 * 60 * 1000);
  expect((await post(responseUrl, { text: 'x' })).status).toBe(200);
  pass(1);
  expect((await post(responseUrl, { text: 'x' })).status).toBe(404);
});

test('invalid answers are refused, and count', async () => {
  const { responseUrl, workspace, ann } = await fromCommand();
  expect((await post(responseUrl, 'nonsense')).status).toBe(400);
  for (const body of [{}, { blocks: [{ type: 'section' }] }, { text: '' }, {}, {}]) {
    expect((await post(responseUrl, body)).status).toBe(400);
  }
  expect((await post(responseUrl, { text: 'x' })).status).toBe(404);
  expect(workspace.ephemerals(ann)).toEqual([]);
  expect((await post(`${responseUrl}x`, { text: 'x' })).status).toBe(404);
});
