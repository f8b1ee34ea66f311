import { type Document, isScalar, isSeq, parse, parseDocument, stringify, visit } from 'yaml';
import type { ManifestSettings } from '../../config/config.ts';
import { createCardLinks } from '../../service/card-links.ts';
import { isUnfurled } from '../../slack/card/unfurl-host.ts';

/** The manifest can't be made of these settings; the message says why. */
export class ManifestError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ManifestError';
  }
}

/** Stands in manifest.yml where the app's own address belongs. */
const OWN_ADDRESS = 'https://example.com';
/** Where Slack sends its requests, which in Socket Mode it doesn't. */
const REQUEST_ADDRESSES = new Set<unknown>(['url', 'request_url', 'message_menu_options_url']);
/** Only an app that organisations may install hears of these. */
const ORGANISATION_EVENTS = new Set<unknown>(['team_access_granted', 'team_access_revoked']);
/** Most `unfurl_domains` of an app. Source: docs.slack.dev/reference/app-manifest. */
const UNFURL_DOMAINS_MAX = 5;

/**
 * Fills an environment's settings into the manifest; comments and order stay.
 *
 * @param template the text of manifest.yml
 * @returns YAML. In Socket Mode it has no request addresses, and for one workspace nothing of OAuth
 * @throws ManifestError if the card links have a host that Slack doesn't unfurl, or too many
 */
export function fillManifest(template: string, settings: ManifestSettings): string {
  const { publicUrl: ownAddress, socketMode, manyWorkspaces, cardUrlTemplates } = settings;
  const manifest = parseDocument(template);
  visit(manifest, {
    Pair(_key, { key }) {
      const name = isScalar(key) ? key.value : undefined;
      if (socketMode && REQUEST_ADDRESSES.has(name)) return visit.REMOVE;
      return undefined;
    },
    Scalar(_key, scalar) {
      if (ownAddress === undefined || typeof scalar.value !== 'string') return;
      if (!scalar.value.startsWith(`${OWN_ADDRESS}/`)) return;
      scalar.value = ownAddress + scalar.value.slice(OWN_ADDRESS.length);
    },
  });
  if (!manyWorkspaces) leaveOutManyWorkspaces(manifest);
  manifest.setIn(['features', 'unfurl_domains'], domainsOf(cardUrlTemplates));
  manifest.setIn(['settings', 'socket_mode_enabled'], socketMode);
  return manifest.toString();
}

/** Takes out what only an app has that many workspaces install: another one needs no such powers. */
function leaveOutManyWorkspaces(manifest: Document): void {
  manifest.deleteIn(['oauth_config', 'redirect_urls']);
  manifest.setIn(['settings', 'org_deploy_enabled'], false);
  const events = manifest.getIn(['settings', 'event_subscriptions', 'bot_events']);
  if (!isSeq(events)) return;
  events.items = events.items.filter(
    (item) => !ORGANISATION_EVENTS.has(isScalar(item) && item.value),
  );
}

/** The hosts of card links, each once; Slack counts their subdomains in. */
function domainsOf(cardUrlTemplates: readonly string[]): readonly string[] {
  const { hosts } = createCardLinks(cardUrlTemplates);
  const others = hosts.filter((host) => !isUnfurled(host));
  if (others.length > 0) {
    throw new ManifestError(
      `CARD_URL_TEMPLATE has hosts whose links Slack doesn't unfurl: ${others.join(', ')}. Slack takes names of letters, digits, hyphens and dots: no wildcards, underscores, IP addresses or names of this machine.`,
    );
  }
  if (hosts.length > UNFURL_DOMAINS_MAX) {
    throw new ManifestError(
      `CARD_URL_TEMPLATE names ${hosts.length} hosts, but Slack unfurls the links of at most ${UNFURL_DOMAINS_MAX}: ${hosts.join(', ')}. Leave out those that matter least.`,
    );
  }
  return hosts;
}

/**
 * The address that opens Slack's form for a new app, filled from a manifest
 * (https://docs.slack.dev/app-manifests/configuring-apps-with-app-manifests).
 *
 * @param manifest as YAML; its comments are left out, so that the address stays short
 */
export function creationLink(manifest: string): string {
  const bare = stringify(parse(manifest), { lineWidth: 0 });
  return `https://api.slack.com/apps?new_app=1&manifest_yaml=${encodeURIComponent(bare)}`;
}
