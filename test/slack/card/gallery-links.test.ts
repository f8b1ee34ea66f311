import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createGalleryLinks } from '../../../src/slack/card/gallery.ts';
import { T1, T2 } from '../../installations/ids.ts';

const PUBLIC_URL = 'https://requests.example.com';
const START = Date.parse('2026-03-02T09:00:00Z');
const TEN_MINUTES_MS = 10 * 60_000;
const key = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const [k1, k2] = [key('k1'), key('k2')];
const links = (keys = [k1], passedMs = 0) =>
  createGalleryLinks({ keys, publicUrl: PUBLIC_URL, now: () => new Date(START + passedMs) });
const REF = { workspaceId: T1, cardId: 'card / 1' };
const path = links().urlOf(REF).slice(PUBLIC_URL.length);

describe('the address of a card’s images', () => {
  it('leads back to exactly that card, for ten minutes', () => {
    expect(links([k1], TEN_MINUTES_MS - 1).read(path)).toEqual(REF);
    expect(links([k1], TEN_MINUTES_MS).read(path)).toBeUndefined();
  });

  it('works with every current key, and no other', () => {
    expect(links([k2, k1]).read(path)).toEqual(REF);
    expect(links([k2]).read(path)).toBeUndefined();
  });

  it('can’t be changed to another workspace or card', () => {
    const [, mac = ''] = path.split('.');
    const forged = (...named: unknown[]) =>
      `/gallery/${Buffer.from(JSON.stringify(named)).toString('base64url')}.${mac}`;
    const expires = START + TEN_MINUTES_MS;
    expect(links().read(forged(T1, 'card / 1', expires))).toEqual(REF);
    expect(links().read(forged(T2, 'card / 1', expires))).toBeUndefined();
    expect(links().read(forged(T1, 'card / 2', expires))).toBeUndefined();
    expect(links().read(forged(T1, 'card / 1', expires + 1))).toBeUndefined();
    for (const wrong of ['/gallery/', `${path}x`, `${path}/x`, path.replace('.', '')]) {
      expect(links().read(wrong)).toBeUndefined();
    }
  });
});
