import { SlackTokenError } from '../../../slack/tenancy/token-error.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

export const slackToken: Check = {
  name: 'slack-token',
  category: 'slack',
  about: 'Slack can be reached and accepts the bot token.',
  needs: 'settings',
  async run({ config, authTest }) {
    const answer = await authTest();
    if (!answer) return skipped('each workspace has its own token');
    if (answer.kind === 'unreachable') {
      return failed(
        `Slack can't be reached at ${config.slack.apiUrl} (${answer.reason}).`,
        "Check this machine's network, DNS, and firewall, and SLACK_API_URL.",
      );
    }
    const { ok, error = '', team, team_id } = answer.body;
    if (ok) return passed(`workspace ${team} (${team_id})`);
    const [problem = '', ...fix] = new SlackTokenError('SLACK_BOT_TOKEN', error).message.split(
      '. ',
    );
    return failed(`${problem}.`, fix.join('. '));
  },
};
