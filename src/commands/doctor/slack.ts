import { z } from 'zod';
import { workspaceIdOf } from '../../installations/workspace-id.ts';
import { isUnfurled } from '../../public-host.ts';
import { createCardLinks } from '../../references.ts';
import { SlackTokenError } from '../../slack/client/errors.ts';
import { SCOPES } from '../../slack/words/install.ts';
import { askSlack } from '../ask-slack.ts';
import { type Check, type CheckContext, type Finding, failed, passed, skipped } from './check.ts';
import { largestViews } from './largest-views.ts';

/** Whoever installs the app may leave this one out; without it, the form takes links only. */
const OPTIONAL = new Set(['files:read']);

/** Source: docs.slack.dev/reference/methods/blocks.validate. Other errors are about the call. */
const refusal = z.object({
  error: z.enum(['invalid_view', 'invalid_message', 'view_too_large', 'msg_blocks_too_long']),
  errors: z.array(z.object({ message: z.string(), pointer: z.string() })).catch([]),
});
/** Of the problems of one view, which may all have the same cause. */
const PROBLEMS_SHOWN = 3;

const REPLACE_MANIFEST = "Replace the app's manifest with the one from `npm run app -- manifest`.";

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

/** @returns the app's manifest as Slack has it, or why it can't be read */
async function manifestOf(
  context: Pick<CheckContext, 'manifest'>,
): Promise<z.infer<typeof exported> | string> {
  const answer = await context.manifest();
  if (!answer) {
    return "Slack shows the app's manifest only with an app configuration token (SLACK_CONFIG_TOKEN)";
  }
  if (answer.kind === 'unreachable') return `Slack can't be reached (${answer.reason})`;
  if (!answer.body.ok) return `Slack refused SLACK_CONFIG_TOKEN (${answer.body.error})`;
  return exported.parse(answer.body.manifest);
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
          "Replace the app's manifest with the one from `npm run app -- manifest`, and install the app again.",
        );
      }
      return passed(
        missing.length === 0 ? 'all' : 'all but files:read, so people attach only links',
      );
    },
  },
  {
    name: 'slack-views',
    about:
      'Slack accepts the form, the Home tab, cards, and confirmations, however much they show.',
    async run({ config, authTest, now }) {
      const { apiUrl, access } = config.slack;
      const bot = await authTest();
      if (access.kind !== 'token' || bot?.kind !== 'answer' || !bot.body.ok) {
        return skipped('no token that Slack accepts');
      }
      const workspaceId = workspaceIdOf(String(bot.body.team_id));
      const canAttach = bot.scopes.includes('files:read');
      const views = Object.entries(largestViews(config, { workspaceId, canAttach, now: now() }));
      const problems: string[] = [];
      for (const [name, view] of views) {
        const args = Object.entries(view).map(([kind, value]) => [kind, JSON.stringify(value)]);
        const token = access.botToken;
        const answer = await askSlack(
          { apiUrl, token },
          'blocks.validate',
          Object.fromEntries(args),
        );
        if (answer.kind === 'unreachable')
          return skipped(`Slack can't be reached (${answer.reason})`);
        if (answer.body.ok) continue;
        const { data } = refusal.safeParse(answer.body);
        if (!data)
          return skipped(`Slack doesn't check views for this token (${answer.body.error})`);
        const found = data.errors.map(({ message, pointer }) => `${message} at ${pointer}`);
        problems.push(`${name}: ${found.slice(0, PROBLEMS_SHOWN).join(', ') || data.error}`);
      }
      if (problems.length === 0) {
        return passed(`${views.map(([name]) => name).join(', ')}; Slack can't check the pane`);
      }
      return failed(
        `Slack refuses the largest views. ${problems.join('; ')}.`,
        'Update the app. If it is the newest version, send the output with `--support` to whoever maintains it.',
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
    name: 'transport',
    about: 'Slack sends to where the app listens: the socket, or PUBLIC_URL.',
    async run(context) {
      const manifest = await manifestOf(context);
      if (typeof manifest === 'string') return skipped(manifest);
      const { publicUrl, slack } = context.config;
      const { socket_mode_enabled: socket = false, event_subscriptions: events } =
        manifest.settings ?? {};
      if (socket !== (slack.transport.mode === 'socket')) {
        return failed(
          `Socket Mode is ${socket ? 'on' : 'off'} at Slack, but the app uses ${socket ? 'HTTP' : 'Socket Mode'}.`,
          `${REPLACE_MANIFEST} Or set SLACK_APP_TOKEN for Socket Mode, and leave it empty for HTTP.`,
        );
      }
      if (socket || !publicUrl || events?.request_url === `${publicUrl}/slack/events`) {
        return passed(socket ? 'Socket Mode' : (events?.request_url ?? 'HTTP'));
      }
      return failed(
        `Slack sends to ${events?.request_url ?? 'no address'}, not to ${publicUrl}.`,
        REPLACE_MANIFEST,
      );
    },
  },
  {
    name: 'messages-tab',
    about: "The app's Messages tab is on: without it, Slack refuses direct messages to people.",
    async run(context) {
      const manifest = await manifestOf(context);
      if (typeof manifest === 'string') return skipped(manifest);
      if (manifest.features?.app_home?.messages_tab_enabled) return passed('on');
      return failed(
        'The Messages tab is off, so people get no direct messages.',
        'api.slack.com/apps → your app → App Home → Messages Tab, or replace the manifest (`npm run app -- manifest`).',
      );
    },
  },
  {
    name: 'unfurl-domains',
    about: 'Slack sends the app the links of every host in CARD_URL_TEMPLATE.',
    async run(context) {
      const { hosts } = createCardLinks(context.config.cardUrlTemplates);
      const others = hosts.filter((host) => !isUnfurled(host));
      if (others.length > 0) {
        return failed(
          `Slack doesn't unfurl links to ${others.join(', ')}.`,
          'Use public host names in CARD_URL_TEMPLATE: no IP addresses, wildcards, underscores, or localhost.',
        );
      }
      const manifest = await manifestOf(context);
      if (typeof manifest === 'string')
        return passed(`${hosts.join(', ')}; not compared: ${manifest}`);
      const { unfurl_domains: known = [] } = manifest.features ?? {};
      const missing = hosts.filter(
        (host) => !known.some((one) => host === one || host.endsWith(`.${one}`)),
      );
      if (missing.length === 0) return passed(hosts.join(', '));
      return failed(
        `The app's manifest at Slack lacks unfurl domains: ${missing.join(', ')}.`,
        'Replace it with the one from `npm run app -- manifest`, and install the app again.',
      );
    },
  },
];
