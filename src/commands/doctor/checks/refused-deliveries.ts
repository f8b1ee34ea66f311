import { HOW_TO_GET } from '../../../config/help.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

const TIMEOUT_MS = 3_000;

/** A wrong signing secret can't be noticed otherwise: only Slack knows the right one. */
export const refusedDeliveries: Check = {
  name: 'refused-deliveries',
  category: 'address',
  about: 'HTTP: the running app accepts the signatures of what Slack sends.',
  needs: 'settings',
  async run({ config: { slack, server, metricsToken } }) {
    if (slack.transport.mode !== 'http') return skipped('the app uses Socket Mode');
    const host = server.host === '0.0.0.0' || server.host === '::' ? '127.0.0.1' : server.host;
    const metrics = await fetch(`http://${host}:${server.port}/metrics`, {
      headers: metricsToken === undefined ? {} : { authorization: `Bearer ${metricsToken}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
      .then((response) => response.text())
      .catch(() => '');
    if (!metrics.includes(REFUSED)) return skipped("the app doesn't run on this machine");
    const refused = sumOf(metrics, `${REFUSED}{reason="signature"}`);
    const accepted = sumOf(metrics, 'design_request_acknowledgment_seconds_count');
    if (refused <= accepted) return passed(`${accepted} accepted, ${refused} refused`);
    return failed(
      `Since its start, the app has refused ${refused} deliveries that aren't signed with SLACK_SIGNING_SECRET, and accepted ${accepted}.`,
      `Copy SLACK_SIGNING_SECRET again: ${HOW_TO_GET.SLACK_SIGNING_SECRET} Or a proxy changes what Slack sends.`,
    );
  },
};

const REFUSED = 'design_request_deliveries_refused_total';

const sumOf = (metrics: string, series: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(series))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
