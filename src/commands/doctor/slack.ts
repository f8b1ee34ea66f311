import { isUnfurled } from '../../public-host.ts';
import { createCardLinks } from '../../references.ts';
import { SlackTokenError } from '../../slack/client/errors.ts';
import { SCOPES } from '../../slack/words/install.ts';
import { askSlack } from '../ask-slack.ts';
import { type Check, type Finding, failed, passed, skipped } from './check.ts';

/** Whoever installs the app may leave this one out; without it, the form takes links only. */
const OPTIONAL = new Set(['files:read']);

function refused(setting: 'SLACK_BOT_TOKEN' | 'SLACK_APP_TOKEN', error = ''): Finding {
  const [problem = '', ...fix] = new SlackTokenError(setting, error).message.split('. ');
  return failed(`${problem}.`, fix.join('. '));
}

export const slackChecks: readonly Check[] = [
  {
    name: 'slack-token',
    about: 'Slack can be reached and accepts the bot token.',
    async run({ config, authTest }) {
      const answer = await authTest();
      if (!answer) return skipped('each workspace has its own token');
      if (answer.kind === 'unreachable') {
        return failed(
          `Slack can't be reached at ${config.slack.apiUrl} (${answer.reason}).`,
          "Check this machine's network, DNS, and firewall, and SLACK_API_URL.",
        );
      }
      const { ok, error, team, team_id } = answer.body;
      return ok ? passed(`workspace ${team} (${team_id})`) : refused('SLACK_BOT_TOKEN', error);
    },
  },
  {
    name: 'slack-scopes',
    about: 'The token has every scope that the app uses.',
    atStart: true,
    async run({ authTest }) {
      const answer = await authTest();
      if (answer?.kind !== 'answer' || !answer.body.ok)
        return skipped('no token that Slack accepts');
      const missing = Object.keys(SCOPES).filter((scope) => !answer.scopes.includes(scope));
      const needed = missing.filter((scope) => !OPTIONAL.has(scope));
      if (needed.length > 0) {
        return failed(
          `The installation lacks scopes: ${needed.join(', ')}.`,
          "Replace the app's manifest with the one from `npm run app -- manifest`, and install the app again.",
        );
      }
      return passed(
        missing.length === 0 ? 'all' : 'all but files:read, so people attach only links',
      );
    },
  },
  {
    name: 'app-token',
    about: 'Socket Mode: Slack accepts the app-level token.',
    async run({ config: { slack } }) {
      if (slack.transport.mode !== 'socket') return skipped('the app uses HTTP');
      // Slack only returns an address. Connecting to it would take deliveries away from the running app.
      const { apiUrl } = slack;
      const answer = await askSlack(
        { apiUrl, token: slack.transport.appToken },
        'apps.connections.open',
      );
      if (answer.kind === 'unreachable') return skipped("Slack can't be reached");
      const { ok, error } = answer.body;
      return ok ? passed('accepted') : refused('SLACK_APP_TOKEN', error);
    },
  },
  {
    name: 'unfurl-domains',
    about: 'Slack can preview the links of every host in CARD_URL_TEMPLATE.',
    run({ config }) {
      const { hosts } = createCardLinks(config.cardUrlTemplates);
      const others = hosts.filter((host) => !isUnfurled(host));
      if (others.length === 0) return passed(hosts.join(', '));
      return failed(
        `Slack doesn't unfurl links to ${others.join(', ')}.`,
        'Use public host names in CARD_URL_TEMPLATE: no IP addresses, wildcards, underscores, or localhost.',
      );
    },
  },
];
