import { expect, test } from 'vitest';
import { serviceFor } from './calling.ts';

test('a download that is left in its last piece is whole, since there is nothing to resume', async () => {
  const service = await serviceFor({ seed: 'empty' });
  const { id } = service.cards.add({ title: 'A' });
  const [file] = service.cards.addFile(id, { name: 'logo.png' }).files;
  const url = file?.urls.small ?? '';
  const { download: whole } = await service.downloads.get(url);
  const { download: left } = await service.downloads.get(url, { leaveAfter: 1 });
  expect(left).toMatchObject({ bytes: whole.bytes, sha256: whole.sha256, error: undefined });
  expect(left.sha256).toMatch(/^[\da-f]{64}$/);
});
