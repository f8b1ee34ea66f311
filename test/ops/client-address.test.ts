import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { clientAddressOf } from '../../src/ops/client-address.ts';

const addressOf = (remoteAddress: string, forwarded?: string) =>
  clientAddressOf({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

describe('the address of a client', () => {
  it('is that of the connection if it comes from the internet, whatever its headers say', () => {
    expect(addressOf('203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
  });

  it.each([
    ['on this machine', '127.0.0.1'],
    ['on this machine over IPv6', '::1'],
    ['on this machine, mapped', '::ffff:127.0.0.1'],
    ['in a private network', '10.1.2.3'],
    ['in a private IPv6 network', 'fd00::1'],
  ])('is the last one that a proxy %s has written', (_where, proxy) => {
    expect(addressOf(proxy, '198.51.100.1')).toBe('198.51.100.1');
    // The first is what the client itself claims to be.
    expect(addressOf(proxy, '192.0.2.1, 198.51.100.1')).toBe('198.51.100.1');
    expect(addressOf(proxy, '192.0.2.1, 198.51.100.1, 10.0.0.9')).toBe('198.51.100.1');
  });

  it('is the proxy’s if it has written none', () => {
    expect(addressOf('127.0.0.1')).toBe('127.0.0.1');
    expect(addressOf('10.1.2.3', '')).toBe('10.1.2.3');
    expect(addressOf('10.1.2.3', '10.9.9.9')).toBe('10.9.9.9');
  });

  it('is the network of an IPv6 address, since one customer has many', () => {
    expect(addressOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
    expect(addressOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
    expect(addressOf('2001:db8::1')).toBe('2001:db8:0:0');
  });

  it('never fails', () => {
    expect(addressOf('', 'what')).toBe('');
    expect(addressOf('127.0.0.1', 'unknown, <script>')).toBe('<script>');
  });
});
