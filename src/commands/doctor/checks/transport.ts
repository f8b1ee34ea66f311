import { type Check, failed, passed, skipped } from '../check.ts';
import { manifestOf } from '../slack-manifest.ts';

const FIX = "Replace the app's manifest with the one from `npm run app -- manifest`.";

export const transport: Check = {
  name: 'transport',
  category: 'slack',
  about: 'Slack sends to where the app listens: the socket, or PUBLIC_URL.',
  needs: 'settings',
  async run(context) {
    const manifest = await manifestOf(context);
    if (typeof manifest === 'string') return skipped(manifest);
    const { publicUrl, slack } = context.config;
    const { socket_mode_enabled: socket = false, event_subscriptions: events } =
      manifest.settings ?? {};
    if (socket !== (slack.transport.mode === 'socket')) {
      return failed(
        `Socket Mode is ${socket ? 'on' : 'off'} at Slack, but the app uses ${socket ? 'HTTP' : 'Socket Mode'}.`,
        `${FIX} Or set SLACK_APP_TOKEN for Socket Mode, and leave it empty for HTTP.`,
      );
    }
    if (socket || !publicUrl || events?.request_url === `${publicUrl}/slack/events`) {
      return passed(socket ? 'Socket Mode' : (events?.request_url ?? 'HTTP'));
    }
    return failed(
      `Slack sends to ${events?.request_url ?? 'no address'}, not to ${publicUrl}.`,
      FIX,
    );
  },
};
