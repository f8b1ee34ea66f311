import { SlackTokenError } from '../../../slack/tenancy/token-error.ts';
import { askSlack } from '../../ask-slack.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

export const appToken: Check = {
  name: 'app-token',
  category: 'slack',
  about: 'Socket Mode: Slack accepts the app-level token.',
  needs: 'settings',
  async run({ config: { slack } }) {
    if (slack.transport.mode !== 'socket') return skipped('the app uses HTTP');
    // Slack only returns an address. Connecting to it would take deliveries away from the running app.
    const { apiUrl } = slack;
    const answer = await askSlack(
      { apiUrl, token: slack.transport.appToken },
      'apps.connections.open',
    );
    if (answer.kind === 'unreachable') return skipped("Slack can't be reached");
    if (answer.body.ok) return passed('accepted');
    const { message } = new SlackTokenError('SLACK_APP_TOKEN', answer.body.error ?? '');
    const [problem = '', ...fix] = message.split('. ');
    return failed(`${problem}.`, fix.join('. '));
  },
};
