import { isIP } from 'node:net';

/** What Slack accepts in `unfurl_domains` (slackapi/manifest-schema). */
const UNFURL_DOMAIN = /^(?![.-])[-a-z0-9.]+[a-z0-9]$/;

/** Names of this machine (RFC 6761, section 6.3). */
const LOCAL_NAME = /(?:^|\.)localhost$/;

/** Whether Slack can unfurl links to a host, given in lower case and without a port. */
export const isUnfurled = (host: string): boolean =>
  UNFURL_DOMAIN.test(host) && isIP(host) === 0 && !LOCAL_NAME.test(host);
