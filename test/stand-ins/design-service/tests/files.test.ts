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
