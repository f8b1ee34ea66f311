import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Networks that aren't on the internet (RFC 6890), and multicast. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4');
}
NOT_PUBLIC.addAddress('::1', 'ipv6');
NOT_PUBLIC.addSubnet('fc00::', 7, 'ipv6');
NOT_PUBLIC.addSubnet('fe80::', 10, 'ipv6');

/** Whether an IP address may be on the internet; also true for a text that isn't one. */
export const isPublicAddress = (address: string): boolean =>
  !NOT_PUBLIC.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** Names of this machine and of private networks (RFC 6761, 6762, 8375; .internal is ICANN's). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * Whether a host may be on the internet, as far as its name or address says. False for IPv6 addresses:
 * the app needs none.
 *
 * @param hostname of a `URL`, which spells an address in one way only
 */
export function isPublicHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (isIPv4(name)) return isPublicAddress(name);
  return /^[^.[\]:]+\../.test(name) && !PRIVATE_NAME.test(name);
}

/** What Slack accepts in `unfurl_domains` (slackapi/manifest-schema). */
const UNFURL_DOMAIN = /^(?![.-])[-a-z0-9.]+[a-z0-9]$/;

/** Names of this machine (RFC 6761, section 6.3). */
const LOCAL_NAME = /(?:^|\.)localhost$/;

/** Whether Slack can unfurl links to a host, given in lower case and without a port. */
export const isUnfurled = (host: string): boolean =>
  UNFURL_DOMAIN.test(host) && isIP(host) === 0 && !LOCAL_NAME.test(host);
