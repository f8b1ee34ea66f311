import { reasonOf } from '../../ask-slack.ts';
import { type Check, failed, passed } from '../check.ts';

const TIMEOUT_MS = 10_000;

export const serviceReachable: Check = {
  name: 'service-reachable',
  category: 'service',
  about: 'Something answers at DESIGN_API_BASE_URL.',
  needs: 'settings',
  async run({ config: { designApi } }) {
    try {
      // Without a key: the service answers 401, which is enough here, and counts it for nobody.
      const response = await fetch(`${designApi.baseUrl.replace(/(?<!\/)\/+$/, '')}/card-types`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      return passed(designApi.baseUrl);
    } catch (error) {
      return failed(
        `The design service can't be reached at ${designApi.baseUrl} (${reasonOf(error)}).`,
        "Check DESIGN_API_BASE_URL, and this machine's network, DNS, and firewall.",
      );
    }
  },
};
