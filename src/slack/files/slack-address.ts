/** Slack and GovSlack. Files are at files.slack.com and files.slack-gov.com (docs.slack.dev/reference/objects/file-object). */
const SLACK_DOMAINS = ['slack.com', 'slack-gov.com'];

/**
 * Whether a workspace's token may be sent to an address: to Slack's own hosts over https, or to where SLACK_API_URL
 * points.
 */
export function isSlackAddress(address: URL, apiUrl: string): boolean {
  if (address.username || address.password) return false;
  if (address.origin === new URL(apiUrl).origin) return true;
  const isSlacks = SLACK_DOMAINS.some(
    (domain) => address.hostname === domain || address.hostname.endsWith(`.${domain}`),
  );
  return isSlacks && address.protocol === 'https:' && address.port === '';
}
