import { offerOf } from '../../probe-service.ts';
import { type Check, failed, passed, skipped, warning } from '../check.ts';

export const serviceKey: Check = {
  name: 'service-key',
  category: 'service',
  about: 'The workspace has an API key, which the service accepts.',
  needs: 'settings',
  async run({ config, service }) {
    if (config.slack.access.kind === 'oauth') return skipped('each workspace has its own key');
    const probe = await service().catch(() => undefined);
    if (!probe) {
      return warning(
        'No API key is connected, so requests wait.',
        'In Slack, a workspace admin types /design-request connect.',
      );
    }
    if (probe.usable) {
      const limit = probe.limit === undefined ? '' : `, ${probe.limit} calls per minute`;
      return passed(offerOf(probe) + limit);
    }
    return failed(
      probe.problem,
      probe.isKeyRefused
        ? 'In Slack, a workspace admin types /design-request connect and pastes the current key. Before the first start, correct DESIGN_API_KEY.'
        : 'Check DESIGN_API_BASE_URL, or try again later.',
    );
  },
};
