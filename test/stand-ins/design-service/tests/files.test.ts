import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serviceFor } from './calling.ts';

test('the resized URLs end with an empty class', async () => {
  const service = await serviceFor();
  const files = service.cards.all().flatMap((card) => card.files);
  expect(files.length).toBeGreaterThan(4);
  for (const { urls } of files) {
    expect(Object.keys(urls)).toEqual(['full', 'large', 'medium', 'small']);
    for (const url of [urls.large, urls.medium, urls.small]) expect(url).toMatch(/[?&]class=$/);
  }
});

test('an image is served as a valid PNG of the requested size', async () => {
  const service = await serviceFor({ seed: 'empty' });
  const { id } = service.cards.add({ title: 'A' });
  const [file] = service.cards.addFile(id, { name: 'Ünï 100%.png' }).files;
  for (const [url, width, height] of [
    [file?.urls.full, 960, 540],
    [file?.urls.large, 640, 360],
    [file?.urls.medium, 320, 180],
    [file?.urls.small, 160, 90],
  ] as const) {
    const response = await fetch(url ?? '');
    expect(response.headers.get('content-type')).toBe('image/png');
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
    const dataAt = png.indexOf('IDAT');
    const pixels = inflateSync(png.subarray(dataAt + 4, dataAt + 4 + png.readUInt32BE(dataAt - 4)));
    expect(pixels).toHaveLength(height * (1 + width * 3));
  }
});

test('other files are served as bytes and unknown ones get 404, without entering the ledger', async () => {
  const service = await serviceFor({ seed: 'empty' });
  const { id } = service.cards.add({ title: 'A' });
  const [file] = service.cards.addFile(id, { name: 'brief.pdf' }).files;
  const response = await fetch(file?.urls.full ?? '');
  expect(response.headers.get('content-type')).toBe('application/octet-stream');
  expect((await fetch(new URL('/files/none/a.png', service.url))).status).toBe(404);
  expect((await fetch(file?.urls.full ?? '', { method: 'POST' })).status).toBe(405);
  expect(service.ledger).toEqual([]);
});
