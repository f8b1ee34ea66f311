import { misdirectionOf } from '../../../service/http/misdirection.ts';
import { reasonOf } from '../../ask-slack.ts';
import { type Check, failed, passed } from '../check.ts';

const TIMEOUT_MS = 10_000;
const NOT_FOUND = 404;

export const serviceReachable: Check = {
  name: 'service-reachable',
  category: 'service',
  about: 'The design service answers at DESIGN_API_BASE_URL.',
  needs: 'settings',
  async run({ config: { designApi } }) {
    try {
      // Without a key: the service answers 401, which is enough here, and counts it for nobody.
      const { status, headers, body } = await fetch(
        `${designApi.baseUrl.replace(/(?<!\/)\/+$/, '')}/card-types`,
        { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) },
      );
      await body?.cancel();
      const [location, contentType] = ['location', 'content-type'].map((name) => headers.get(name));
      const seen = misdirectionOf({ status, location, contentType });
      if (!seen && status !== NOT_FOUND) return passed(designApi.baseUrl);
      return failed(
        `What answers at ${designApi.baseUrl} is not the design service: ${seen ?? `HTTP ${status}`}.`,
        'Set DESIGN_API_BASE_URL to the address of its API, as in its documentation, with the path and without a redirect.',
      );
    } catch (error) {
      return failed(
        `The design service can't be reached at ${designApi.baseUrl} (${reasonOf(error)}).`,
        "Check DESIGN_API_BASE_URL, and this machine's network, DNS, and firewall.",
      );
    }
  },
};
