import { expect, test } from 'vitest';
import { call, serviceFor } from './calling.ts';

test('unknown paths, a repeated or trailing slash, and the root without base path get 404', async () => {
  const service = await serviceFor();
  for (const path of ['/nothing', '/tags/', '//tags', '/card/', '/card/a/b', '/']) {
    const answer = await call(service, path);
    expect(answer.status, path).toBe(404);
    expect(answer.json).toMatchObject({ status: false, statusCode: 404 });
  }
  const outside = await fetch(new URL('/tags', service.url), {
    headers: { 'x-api-key': service.apiKey },
  });
  expect(outside.status).toBe(404);
});

test('a wrong method gets 405 with the right one', async () => {
  const service = await serviceFor();
  for (const [method, path, allowed] of [
    ['POST', '/tags', 'GET'],
    ['DELETE', '/brands/brand-1', 'GET'],
    ['GET', '/card', 'POST'],
    ['PUT', '/card/card-1001', 'GET'],
  ] as const) {
    const answer = await call(service, path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
    expect(answer.json).toMatchObject({ status: false, statusCode: 405 });
  }
});

test('a badly encoded ID gets 400', async () => {
  const service = await serviceFor();
  expect((await call(service, '/card/%E0%A4%A')).status).toBe(400);
});
