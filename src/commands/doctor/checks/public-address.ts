import { reasonOf } from '../../ask-slack.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

const TIMEOUT_MS = 10_000;

export const publicAddress: Check = {
  name: 'public-address',
  category: 'address',
  about: 'PUBLIC_URL leads to the app.',
  needs: 'settings',
  async run({ config: { publicUrl } }) {
    if (!publicUrl) return skipped('PUBLIC_URL is not set');
    const fix = 'Start the app, and point the proxy, tunnel, or DNS of PUBLIC_URL to it.';
    try {
      const response = await fetch(`${publicUrl}/healthz`, {
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (response.status === 200) return passed(publicUrl);
      return failed(`${publicUrl}/healthz answers with HTTP ${response.status}.`, fix);
    } catch (error) {
      return failed(`${publicUrl} can't be reached (${reasonOf(error)}).`, fix);
    }
  },
};
