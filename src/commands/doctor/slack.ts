import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { isUnfurled } from '../../public-host.ts';
import { createCardLinks } from '../../references.ts';
import { SlackTokenError } from '../../slack/client/errors.ts';
import { SCOPES } from '../../slack/words/install.ts';
import { askSlack } from '../ask-slack.ts';
import { type Check, type Finding, failed, passed, skipped } from './check.ts';

/** Whoever installs the app may leave this one out; without it, the form takes links only. */
const OPTIONAL = new Set(['files:read']);

const REPLACE_MANIFEST = "Replace the app's manifest with the one from `npm run app -- manifest`";

/** The parts of an exported manifest that are compared. Source: `AppsManifestExportResponse` of @slack/web-api. */
const exported = z.object({
  features: z
    .object({
      app_home: z.object({ messages_tab_enabled: z.boolean().optional() }).optional(),
      unfurl_domains: z.array(z.string()).optional(),
    })
    .optional(),
  settings: z
    .object({
      socket_mode_enabled: z.boolean().optional(),
      event_subscriptions: z.object({ request_url: z.string().optional() }).optional(),
    })
    .optional(),
});

const onOff = (isOn = false) => (isOn ? 'on' : 'off');

/** @returns how the manifest at Slack differs from what the settings need */
function differencesOf(
  { features, settings }: z.infer<typeof exported>,
  { slack, publicUrl, cardUrlTemplates }: Config,
): string[] {
  const isSocket = slack.transport.mode === 'socket';
  const sentTo = settings?.event_subscriptions?.request_url ?? 'no address';
  const address = isSocket || !publicUrl ? sentTo : `${publicUrl}/slack/events`;
  const rows = [
    ['Socket Mode', onOff(settings?.socket_mode_enabled), onOff(isSocket)],
    ['the request URL', sentTo, address],
    ['the Messages tab', onOff(features?.app_home?.messages_tab_enabled), 'on'],
  ] as const;
  const different = rows
    .filter(([, found, needed]) => found !== needed)
    .map(([what, found, needed]) => `${what} is ${found} instead of ${needed}`);
  const { unfurl_domains: known = [] } = features ?? {};
  const missing = createCardLinks(cardUrlTemplates).hosts.filter(
    (host) => !known.some((one) => host === one || host.endsWith(`.${one}`)),
  );
  return missing.length === 0
    ? different
    : [...different, `it lacks the unfurl domains ${missing.join(', ')}`];
}

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
          `${REPLACE_MANIFEST}, and install the app again.`,
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
    name: 'slack-manifest',
    about: 'Slack sends to where the app listens, and lets it message people and preview links.',
    async run({ config, manifest }) {
      const answer = await manifest();
      if (!answer) {
        return skipped(
          "Slack shows the app's manifest only with an app configuration token (SLACK_CONFIG_TOKEN)",
        );
      }
      if (answer.kind === 'unreachable')
        return skipped(`Slack can't be reached (${answer.reason})`);
      const { ok, error, manifest: found } = answer.body;
      if (!ok) return skipped(`Slack refused SLACK_CONFIG_TOKEN (${error})`);
      const different = differencesOf(exported.parse(found), config);
      if (different.length === 0) return passed('as the settings need it');
      return failed(
        `The app's manifest at Slack doesn't fit the settings: ${different.join('; ')}.`,
        `${REPLACE_MANIFEST}, or correct SLACK_APP_TOKEN (for Socket Mode), PUBLIC_URL, or CARD_URL_TEMPLATE.`,
      );
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
