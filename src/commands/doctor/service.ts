import { offerOf, probeService, problemWithAddress } from '../probe-service.ts';
import {
  type Check,
  type Finding,
  failed,
  type KeyProblem,
  passed,
  skipped,
  warning,
} from './check.ts';

const CONNECT = 'In Slack, a workspace admin types /design-request connect';
const IGNORED = 'DESIGN_API_KEY only counts before the first start.';

const WITHOUT_KEY: Record<KeyProblem, Finding> = {
  none: warning('No API key is connected, so requests wait.', `${CONNECT}.`),
  disconnected: warning(
    'An admin disconnected the API key, so requests wait.',
    `${CONNECT}. ${IGNORED}`,
  ),
  rejected: failed(
    'The service refused the connected API key, so requests wait.',
    `${CONNECT} and pastes the current key. ${IGNORED}`,
  ),
  unreadable: failed(
    'ENCRYPTION_KEYS can’t decrypt the connected API key, so requests wait.',
    `Correct ENCRYPTION_KEYS. If the key is lost: ${CONNECT} and pastes the API key again. ${IGNORED}`,
  ),
};

export const serviceChecks: readonly Check[] = [
  {
    name: 'service-reachable',
    about: 'The design service answers at DESIGN_API_BASE_URL.',
    async run({ config: { designApi } }) {
      const wrong = await problemWithAddress(designApi.baseUrl);
      return wrong ? failed(wrong.problem, wrong.fix) : passed(designApi.baseUrl);
    },
  },
  {
    name: 'service-key',
    about: 'The workspace has an API key, which the service accepts.',
    async run({ config: { slack, designApi }, keyInUse }) {
      if (slack.access.kind === 'oauth') return skipped('each workspace has its own key');
      const inUse = await keyInUse();
      if (typeof inUse === 'string') return WITHOUT_KEY[inUse];
      const probe = await probeService(designApi, inUse.key);
      if (probe.usable && ![undefined, inUse.key].includes(designApi.apiKey)) {
        return warning(
          'The service accepts the connected API key. DESIGN_API_KEY is another one, and is ignored.',
          `Remove DESIGN_API_KEY, or to use it: ${CONNECT} and pastes it.`,
        );
      }
      if (probe.usable) {
        const limit = probe.limit === undefined ? '' : `, ${probe.limit} calls per minute`;
        return passed(offerOf(probe) + limit);
      }
      return failed(
        probe.problem,
        probe.isKeyRefused
          ? `${CONNECT} and pastes the current key. Before the first start, correct DESIGN_API_KEY.`
          : 'Check DESIGN_API_BASE_URL and the key, or try again later.',
      );
    },
  },
];
