import { expect, test } from 'vitest';
import { call, serviceFor } from './calling.ts';

test('types, tags, and brands are listed completely, under data', async () => {
  const service = await serviceFor();
  for (const [path, list] of [
    ['/card-types', service.referenceLists.requestTypes],
    ['/tags', service.referenceLists.tags],
    ['/brands', service.referenceLists.brands],
  ] as const) {
    const answer = await call(service, path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json).toEqual({ data: list });
  }
});

test('the demo has several hundred brands, with names that are hard to show', async () => {
  const { referenceLists } = await serviceFor();
  const names = referenceLists.brands.map((brand) => brand.name);
  expect(names).toHaveLength(300);
  expect(new Set(referenceLists.brands.map((brand) => brand.id)).size).toBe(300);
  expect(names.filter((name) => name === 'Acme')).toHaveLength(2);
  expect(names.some((name) => name.length > 75)).toBe(true);
  expect(names.some((name) => name.includes('<!channel>'))).toBe(true);
  expect(names.some((name) => name.includes('&amp;'))).toBe(true);
  expect(names.some((name) => /[\u0400-\uffff]/.test(name))).toBe(true);
});

test('the demo has types without any lists, with one product, many formats, and a long name', async () => {
  const { referenceLists } = await serviceFor({ partnerName: 'Canvas' });
  const types = referenceLists.requestTypes;
  expect(types).toHaveLength(6);
  const empty = types.filter((type) =>
    [type.products, type.formats, type.softwares].every(isEmpty),
  );
  expect(empty).toHaveLength(1);
  expect(types.some((type) => type.products.length === 1)).toBe(true);
  expect(types.some((type) => type.formats.length > 10)).toBe(true);
  expect(types.some((type) => type.name.length > 75)).toBe(true);
  expect(types.flatMap((type) => type.products)).toContain('Canvas Plus');
});

function isEmpty(list: string[]): boolean {
  return list.length === 0;
}

test('an empty service has no brands, types, tags, or cards', async () => {
  const service = await serviceFor({ seed: 'empty' });
  expect((await call(service, '/brands')).json).toEqual({ data: [] });
  expect(service.cards.all()).toEqual([]);
});

test('one brand is read by its ID, whatever the ID contains, and an unknown one gets 404', async () => {
  const service = await serviceFor();
  const brand = { id: 'a/b?c d', name: 'Slash' };
  service.referenceLists.brands.push(brand);
  const found = await call(service, `/brands/${encodeURIComponent(brand.id)}`);
  expect(found.json).toEqual({ data: brand });
  expect((await call(service, '/brands/none')).status).toBe(404);
});

test('the next call reads replaced reference lists', async () => {
  const service = await serviceFor();
  service.referenceLists.brands = [{ id: 'only', name: 'Only' }];
  expect((await call(service, '/brands')).json).toEqual({ data: [{ id: 'only', name: 'Only' }] });
});

test('unknown fields can be added to items and envelope', async () => {
  const service = await serviceFor();
  service.answers.unknownFields = true;
  service.referenceLists.tags.splice(1);
  const answer = await call(service, '/tags');
  expect(answer.json).toMatchObject({ revision: 7, data: [{ id: 'tag-1', revision: 7 }] });
});

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
