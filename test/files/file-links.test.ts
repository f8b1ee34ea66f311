import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFileLinks, type FileRef } from '../../src/files/file-links.ts';
import { anyCharacter } from '../any-text.ts';
import { T1, T2 } from '../installations/ids.ts';

const PUBLIC_URL = 'https://requests.example.com/app';
const DAY_MS = 24 * 60 * 60_000;
const START = Date.parse('2026-03-02T09:00:00Z');
const REF: FileRef = { workspaceId: T1, requestId: 'form-1', fileId: 'F1' };
const key = (id: string) => ({ id, key: new Uint8Array(randomBytes(32)) });
const [k1, k2] = [key('k1'), key('k2')];

const linksWith = (keys = [k1], passedMs = 0) =>
  createFileLinks({ keys, publicUrl: PUBLIC_URL, now: () => new Date(START + passedMs) });
const pathOf = (url: string) => url.slice(PUBLIC_URL.length);
const path = pathOf(linksWith().urlOf(REF, 'Logo.svg'));

describe('the URL of a file', () => {
  it('is below the public URL, ends with the name, and leads back to exactly that file', () => {
    const url = linksWith().urlOf(REF, 'Logo final.svg');
    expect(url).toMatch(
      /^https:\/\/requests\.example\.com\/app\/files\/[\w-]+\.[\w-]+\/Logo-final\.svg$/,
    );
    expect(linksWith().read(pathOf(url))).toEqual(REF);
  });

  it('works for seven days and no longer', () => {
    expect(linksWith([k1], 7 * DAY_MS - 1).read(path)).toEqual(REF);
    expect(linksWith([k1], 7 * DAY_MS).read(path)).toBeUndefined();
  });

  it('works as long as its key is in the keyring, whichever is the first', () => {
    expect(linksWith([k2, k1]).read(path)).toEqual(REF);
    expect(linksWith([k2]).read(path)).toBeUndefined();
    const newer = pathOf(linksWith([k2, k1]).urlOf(REF, 'a'));
    expect(linksWith([k2]).read(newer)).toEqual(REF);
    expect(linksWith([k1]).read(newer)).toBeUndefined();
  });

  it('is worthless with any character changed, added, or removed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=/%';
    for (let at = '/files/'.length; at < path.length; at += 1) {
      const [before, after] = [path.slice(0, at), path.slice(at + 1)];
      expect(linksWith().read(before + after)).toBeUndefined();
      for (const letter of alphabet) {
        if (letter === path[at]) continue;
        expect(linksWith().read(before + letter + after)).toBeUndefined();
      }
    }
    for (const more of ['=', 'A', '/', '?', '%00']) {
      expect(linksWith().read(path + more)).toBeUndefined();
    }
  });

  it('can’t be put together from others', () => {
    const [, payload = '', mac = ''] = /^\/files\/([\w-]+)\.([\w-]+)\//.exec(path) ?? [];
    const others = [
      { ...REF, workspaceId: T2 },
      { ...REF, requestId: 'form-2' },
      { ...REF, fileId: 'F2' },
    ].map((ref) => pathOf(linksWith().urlOf(ref, 'Logo.svg')));
    for (const other of others) {
      const [, itsPayload = '', itsMac = ''] = /^\/files\/([\w-]+)\.([\w-]+)\//.exec(other) ?? [];
      expect(linksWith().read(`/files/${itsPayload}.${mac}/Logo.svg`)).toBeUndefined();
      expect(linksWith().read(`/files/${payload}.${itsMac}/Logo.svg`)).toBeUndefined();
    }
    expect(linksWith().read(path.replace('Logo.svg', 'invoice.exe'))).toBeUndefined();
  });

  it('is never guessed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (one, two, three) => {
        expect(linksWith().read(`/files/${one}.${two}/${three}`)).toBeUndefined();
        const payload = Buffer.from(JSON.stringify([one, two, three, 9e9])).toString('base64url');
        expect(linksWith().read(`/files/${payload}.${payload}/a`)).toBeUndefined();
      }),
    );
  });

  it('contains a readable name, whatever the file is called', () => {
    const nameOf = (name: string) => linksWith().urlOf(REF, name).split('/').at(-1);
    expect(nameOf('Größe & Form.PNG')).toBe('Gro-e-Form.PNG');
    expect(nameOf('../../etc/passwd')).toBe('etc-passwd');
    expect(nameOf('日本語')).toBe('file');
    expect(nameOf('設計.pdf')).toBe('file.pdf');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
        const url = linksWith().urlOf(REF, name);
        expect(new URL(url).href).toBe(url);
        expect(url.length).toBeLessThan(400);
        expect(linksWith().read(pathOf(url))).toEqual(REF);
      }),
    );
  });
});
