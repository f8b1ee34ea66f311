import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { readCard } from '../../../src/service/operations/card.ts';
import { sendGallery } from '../../../src/slack/card/gallery.ts';
import { listen } from '../../service/local-server.ts';

const SERVICE = 'http://127.0.0.1:8080';

/** The page for a card with images at these addresses, as a browser gets it. */
async function pageWith(...addresses: string[]) {
  const files = addresses.map((full, index) => ({
    id: `f${index}`,
    name: `${index}.png`,
    ext: 'png',
    urls: { full },
  }));
  const card = readCard({ files }, 'card-1', 'UTC');
  const port = await listen(
    createServer((_request, response) => sendGallery(response, card, SERVICE)),
  );
  const response = await fetch(`http://127.0.0.1:${port}/`);
  const policy = response.headers.get('content-security-policy') ?? '';
  return { policy: policy.split('; '), page: await response.text() };
}

it('allows images from their hosts, with or without a port', async () => {
  const { policy } = await pageWith(
    'https://cdn.example.com/1.png',
    'https://files.example.com:8443/2.png',
    'https://cdn.example.com/3.png',
  );
  expect(policy).toContain('img-src https://cdn.example.com https://files.example.com:8443');
});

it.each([
  'http://cdn.example.com/2.png',
  '127.0.0.1',
  '0x7f.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '[::1]',
  'localhost',
  'LOCALHOST.',
  'a.localhost',
  'router',
  'nas.local',
  'db.internal',
  'x.home.arpa',
])('neither shows nor links to an image at %s', async (host) => {
  const address = host.startsWith('http') ? host : `https://${host}/2.png`;
  const { policy, page } = await pageWith('https://cdn.example.com/1.png', address);
  expect(policy).toContain('img-src https://cdn.example.com');
  expect(page.match(/<(img|a) /g)).toHaveLength(2);
});

it('shows the images of the service that the operator named, wherever it is', async () => {
  const { policy } = await pageWith('http://127.0.0.1:8080/1.png', 'http://127.0.0.1:9090/2.png');
  expect(policy).toContain('img-src http://127.0.0.1:8080');
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
