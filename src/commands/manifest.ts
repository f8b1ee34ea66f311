import { readFileSync } from 'node:fs';
import { type Document, isScalar, isSeq, parse, parseDocument, stringify, visit } from 'yaml';
import { environmentVariables } from '../config/config.ts';
import {
  type ManifestOptions,
  type ManifestSettings,
  parseManifestSettings,
} from '../config/manifest-settings.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { isUnfurled } from '../public-host.ts';
import { createCardLinks } from '../references.ts';

/** Only the manifest goes to standard output, so that it can be redirected to a file. */
export async function printManifest({
  'workflow-step': workflowStep,
  ...options
}: Omit<ManifestOptions, 'workflowStep'> & { 'workflow-step': boolean }): Promise<void> {
  const settings = parseManifestSettings(environmentVariables(), { ...options, workflowStep });
  const manifest = fillManifest(readManifest(), settings);
  process.stdout.write(manifest);
  process.stderr.write(`
To create a Slack app from the manifest above, open:

${creationLink(manifest)}

To update an app that exists, replace its manifest: api.slack.com/apps → your app → App Manifest.
`);
}

/** @throws OperatorError in a deployment, which has no manifest */
export function readManifest(): string {
  try {
    return readFileSync('manifest.yml', 'utf8');
  } catch (error) {
    const problem = 'There is no manifest.yml here. Run this in a checkout of the project.';
    throw new OperatorError(problem, { cause: error });
  }
}

/** What manifest.yml has where the app's own address belongs. */
const OWN_ADDRESS = 'https://example.com';
/** Where Slack sends its requests; not used in Socket Mode. */
const REQUEST_URLS = new Set<unknown>(['url', 'request_url', 'message_menu_options_url']);
const BOT_EVENTS = ['settings', 'event_subscriptions', 'bot_events'];
const SCOPES = ['oauth_config', 'scopes'];
/** The most `unfurl_domains` that an app may have. Source: docs.slack.dev/reference/app-manifest. */
const UNFURL_DOMAINS_MAX = 5;

/** Comments and order are kept. @throws OperatorError if Slack doesn't unfurl links to one of the hosts */
export function fillManifest(template: string, settings: ManifestSettings): string {
  const { publicUrl: ownAddress, socketMode, manyWorkspaces, workflowStep } = settings;
  const manifest = parseDocument(
    template.replaceAll(`${OWN_ADDRESS}/`, `${ownAddress ?? OWN_ADDRESS}/`),
  );
  if (socketMode) {
    visit(manifest, {
      Pair: (_key, { key }) =>
        isScalar(key) && REQUEST_URLS.has(key.value) ? visit.REMOVE : undefined,
    });
  }
  if (!manyWorkspaces) {
    manifest.deleteIn(['oauth_config', 'redirect_urls']);
    removeItems(manifest, BOT_EVENTS, ['team_access_granted', 'team_access_revoked']);
  }
  // Not everyone can have the step: Slack offers it only in paid plans, in an organization only if the organization
  // installs the app, and an app with steps can't be distributed publicly
  // (docs.slack.dev/tools/bolt-js/tutorials/custom-steps).
  if (!workflowStep) {
    manifest.delete('functions');
    manifest.deleteIn(['settings', 'function_runtime']);
    removeItems(manifest, BOT_EVENTS, ['function_executed']);
  }
  // The service downloads files from the app's public address.
  if (ownAddress === undefined) {
    manifest.deleteIn([...SCOPES, 'bot_optional']);
    removeItems(manifest, [...SCOPES, 'bot'], ['files:read']);
  }
  manifest.setIn(['settings', 'org_deploy_enabled'], manyWorkspaces || workflowStep);
  manifest.setIn(['features', 'unfurl_domains'], domainsOf(settings.cardUrlTemplates));
  manifest.setIn(['settings', 'socket_mode_enabled'], socketMode);
  return manifest.toString();
}

function removeItems(manifest: Document, path: string[], names: readonly unknown[]): void {
  const list = manifest.getIn(path);
  if (!isSeq(list)) return;
  list.items = list.items.filter((item) => !names.includes(isScalar(item) && item.value));
}

/** The hosts of card links, each once. Slack unfurls links to their subdomains, too. */
function domainsOf(cardUrlTemplates: readonly string[]): readonly string[] {
  const { hosts } = createCardLinks(cardUrlTemplates);
  const others = hosts.filter((host) => !isUnfurled(host));
  if (others.length > 0) {
    throw new OperatorError(
      `CARD_URL_TEMPLATE has hosts whose links Slack doesn't unfurl: ${others.join(', ')}. Slack accepts only public names of letters, digits, hyphens, and dots: no wildcards, underscores, IP addresses, or localhost.`,
    );
  }
  if (hosts.length > UNFURL_DOMAINS_MAX) {
    throw new OperatorError(
      `CARD_URL_TEMPLATE names ${hosts.length} hosts, but Slack unfurls links to at most ${UNFURL_DOMAINS_MAX}: ${hosts.join(', ')}. Remove the least important ones.`,
    );
  }
  return hosts;
}

/** Slack's form, filled in (docs.slack.dev/app-manifests/configuring-apps-with-app-manifests). */
export function creationLink(manifest: string): string {
  // Without comments, to keep the URL short.
  const bare = stringify(parse(manifest), { lineWidth: 0 });
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(bare)}`;
}
