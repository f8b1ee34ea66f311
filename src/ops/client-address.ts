import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { isPublicAddress } from '../public-host.ts';

/** A /64 network, in groups of 16 bits: what one customer of an internet provider usually has. */
const IPV6_NETWORK_GROUPS = 4;

/**
 * The address that a request comes from, for limits; an IPv6 address is shortened to its /64 network.
 *
 * `X-Forwarded-For` is trusted only as far as proxies on this machine or in a private network have written it: it is
 * read from its end, up to the first public address. So nobody on the internet can choose what address they seem to
 * have. All clients of a proxy with a public address count as one.
 */
export function clientAddressOf({
  socket,
  headers,
}: Pick<IncomingMessage, 'socket' | 'headers'>): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  let address = plain(socket.remoteAddress ?? '');
  while (!isPublicAddress(address)) {
    const before = plain(forwarded.pop()?.trim() ?? '');
    if (before === '') break;
    address = before;
  }
  return isIPv6(address) ? networkOf(address) : address;
}

/** IPv4 addresses arrive as `::ffff:1.2.3.4` if the app listens on IPv6, too. */
const plain = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, '');

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])];
  return groups.slice(0, IPV6_NETWORK_GROUPS).join(':');
}
