import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type DesignService, startDesignService } from '../stand-ins/design-service/server.ts';
import { type Slack, startSlack } from '../stand-ins/slack/server.ts';
import type { Channel, User } from '../stand-ins/slack/state/model.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';

/** What the app runs between: a Slack with people in it, and a design service with cards in it. */
export type Stage = {
  slack: Slack;
  service: DesignService;
  acme: Workspace;
  /** A workspace admin. */
  ada: User;
  /** A member who makes requests. */
  ann: User;
  general: Channel;
  /** The URL of a card, on the first of the manifest's unfurl domains. */
  cardUrl(id: string): string;
  /**
   * Environment variables that connect the app to this stage, with its database in that folder. HTTP, any free port.
   * With many workspaces, each installs the app once it runs (`installApp`); otherwise it belongs to Acme.
   */
  environment(folder: string): Record<string, string>;
  /**
   * Tells Slack and the design service where the app listens.
   *
   * @param appUrl without a trailing slash
   */
  connect(appUrl: string): void;
  close(): Promise<void>;
};

const MANIFEST = new URL('../../manifest.yml', import.meta.url);
const LOOPBACK = '127.0.0.1';
/** The length required in ENCRYPTION_KEYS. */
const ENCRYPTION_KEY_BYTES = 32;

/** Starts both stand-ins on loopback and fills them. No API key is connected yet. */
export async function openStage({ many = false } = {}): Promise<Stage> {
  const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
  const slack = await startSlack({ manifest });
  const service = await startDesignService();
  const acme = slack.addWorkspace({ name: 'Acme', installed: !many });
  const ada = acme.addUser({ name: 'Ada Admin', admin: true });
  const ann = acme.addUser({ name: 'Ann' });
  const general = acme.addChannel({ name: 'general', members: [ada, ann] });
  const [domain = 'app.example.com'] = slack.state.manifest.unfurlDomains;
  const cardUrl = (id: string) => `https://${domain}/card/${id}`;
  const [redirectUrl = ''] = slack.state.manifest.redirectUrls;
  const publicUrl = new URL(redirectUrl).origin;
  const access = () => ({
    SLACK_CLIENT_ID: slack.clientId,
    SLACK_CLIENT_SECRET: slack.clientSecret,
    SLACK_AUTHORIZE_URL: slack.authorizeUrl,
  });
  const encryptionKey = `k1:${randomBytes(ENCRYPTION_KEY_BYTES).toString('base64')}`;

  return {
    ...{ slack, service, acme, ada, ann, general, cardUrl },
    environment: (folder) => ({
      SLACK_API_URL: slack.apiUrl,
      ...(many ? access() : { SLACK_BOT_TOKEN: acme.botToken }),
      SLACK_SIGNING_SECRET: slack.signingSecret,
      PUBLIC_URL: publicUrl,
      DESIGN_API_BASE_URL: service.url,
      CARD_URL_TEMPLATE: cardUrl('{id}'),
      DATABASE_URL: `sqlite:${join(folder, 'design-request.db')}`,
      ENCRYPTION_KEYS: encryptionKey,
      HOST: LOOPBACK,
      PORT: '0',
    }),
    connect(appUrl) {
      slack.connect(`${appUrl}/slack/events`);
      service.downloads.reach(publicUrl, appUrl);
      slack.reach(publicUrl, appUrl);
    },
    async close() {
      await slack.close();
      await service.close();
    },
  };
}
