import { misdirectionOf } from '../../../service/http/answer.ts';
import { readJson } from '../../../service/http/answer-json.ts';
import { exchange } from '../../../service/http/exchange.ts';
import { type Check, failed, passed } from '../check.ts';

const TIMEOUT_MS = 10_000;

export const serviceReachable: Check = {
  name: 'service-reachable',
  category: 'service',
  about: 'The design service answers at DESIGN_API_BASE_URL.',
  needs: 'settings',
  async run({ config: { designApi } }) {
    // Without a key: the service answers 401, which is enough here, and counts it for nobody.
    const answer = await exchange({
      method: 'GET',
      url: new URL(`${designApi.baseUrl.replace(/(?<!\/)\/+$/, '')}/card-types`),
      headers: {},
      keepAlive: false,
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
};
