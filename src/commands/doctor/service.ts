import { misdirectionOf } from '../../service/http/answer.ts';
import { readJson } from '../../service/http/answer-json.ts';
import { exchange } from '../../service/http/exchange.ts';
import { offerOf } from '../probe-service.ts';
import {
  type Check,
  type Finding,
  failed,
  type KeyProblem,
  passed,
  skipped,
  warning,
} from './check.ts';

const TIMEOUT_MS = 10_000;

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
      // Without a key: the service answers 401, which is enough here, and counts it for nobody.
      const answer = await exchange({
        method: 'GET',
        url: new URL(`${designApi.baseUrl.replace(/(?<!\/)\/+$/, '')}/card-types`),
        headers: {},
        connectTimeoutMs: TIMEOUT_MS,
        totalTimeoutMs: TIMEOUT_MS,
        maySend: () => true,
      });
      if (answer.kind === 'fault' || answer.status >= 500) {
        const why = answer.kind === 'fault' ? answer.reason : `HTTP ${answer.status}`;
        return failed(
          `The design service can't be reached at ${designApi.baseUrl} (${why}).`,
          "Check DESIGN_API_BASE_URL, and this machine's network, DNS, and firewall.",
        );
      }
      const json = readJson(answer.body ?? '', (text) => text);
      const seen = misdirectionOf({ ...answer, json, exists: true });
      if (!seen) return passed(designApi.baseUrl);
      return failed(
        `What answers at ${designApi.baseUrl} is not the design service: ${seen}.`,
        'Set DESIGN_API_BASE_URL to the address of its API, as in its documentation, with the path and without a redirect.',
      );
    },
  },
  {
    name: 'service-key',
    about: 'The workspace has an API key, which the service accepts.',
    async run({ config, service, isKeyIgnored }) {
      if (config.slack.access.kind === 'oauth') return skipped('each workspace has its own key');
      const probe = await service();
      if (typeof probe === 'string') return WITHOUT_KEY[probe];
      if (probe.usable && (await isKeyIgnored())) {
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
          : 'Check DESIGN_API_BASE_URL, or try again later.',
      );
    },
  },
];
