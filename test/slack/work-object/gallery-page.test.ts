import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { cardSchema } from '../../../src/service/operations/parse-card.ts';
import { sendGallery } from '../../../src/slack/work-object/gallery-page.ts';

/** The page for a card with images at these addresses, as a browser gets it. */
async function pageWith(...addresses: string[]) {
  const files = addresses.map((full, index) => ({
    ...{ id: `f${index}`, name: `${index}.png`, ext: 'png', urls: { full } },
  }));
  const card = cardSchema('card-1', 'UTC').parse({ files });
  const server = createServer((_request, response) => sendGallery(response, card));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  return { policy: policy.split('; '), page: await response.text() };
}

it('allows images from their hosts, with or without a port', async () => {
  const { policy } = await pageWith(
    'https://cdn.example.com/1.png',
    'http://127.0.0.1:8080/2.png',
    'https://cdn.example.com/3.png',
  );
  expect(policy).toContain('img-src https://cdn.example.com http://127.0.0.1:8080');
});

it('lets no address of an image change the policy', async () => {
  const { policy: expected } = await pageWith('https://cdn.example.com/1.png');
  const { policy, page } = await pageWith(
    'https://cdn.example.com/1.png',
    'https://a;frame-ancestors/2.png',
    'https://a;script-src/3.png',
    'https://a,default-src/4.png',
    "https://'unsafe-inline'/5.png",
  );
  expect(policy).toEqual(expected);
  expect(page.match(/<img /g)).toHaveLength(1);
});
