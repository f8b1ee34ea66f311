import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  type DesignServiceOptions,
  startDesignService,
} from '../stand-ins/design-service/server.ts';
import { type SlackOptions, startSlack } from '../stand-ins/slack/server.ts';

/** What the app runs between: a Slack with people in it, and a design service with cards in it. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

const MANIFEST = z
  .looseObject({ settings: z.looseObject({}) })
  .parse(parse(readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')));
const LOOPBACK = '127.0.0.1';
const ENCRYPTION_KEY_BYTES = 32;

type StageOptions = {
  /** Each workspace installs the app once it runs (`installApp`); otherwise it belongs to Acme. */
  many?: boolean;
  /** Whether Slack's tokens expire; as in the manifest unless given. */
  tokenRotation?: boolean;
  slack?: Omit<SlackOptions, 'manifest'>;
  service?: DesignServiceOptions;
};

/** Starts both stand-ins on loopback and fills them. No API key is connected yet. */
export async function openStage(options: StageOptions = {}) {
  const { many = false, tokenRotation } = options;
  const rotation = tokenRotation === undefined ? {} : { token_rotation_enabled: tokenRotation };
  const manifest = { ...MANIFEST, settings: { ...MANIFEST.settings, ...rotation } };
  const slack = await startSlack({ manifest, ...options.slack });
  const service = await startDesignService(options.service);
  const acme = slack.addWorkspace({ name: 'Acme', installed: !many });
  const ada = acme.addUser({ name: 'Ada Admin', admin: true });
  const ann = acme.addUser({ name: 'Ann' });
  const general = acme.addChannel({ name: 'general', members: [ada, ann] });
  const [domain = 'app.example.com'] = slack.state.manifest.unfurlDomains;
  /** The URL of a card, on the first of the manifest's unfurl domains. */
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
    slack,
    service,
    acme,
    ada,
    ann,
    general,
    cardUrl,
    /** Environment variables that connect the app to this stage, with its database in that folder. HTTP, any free port. */
    environment: (folder: string): Record<string, string> => ({
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
    /** Tells Slack and the design service where the app listens, without a trailing slash. */
    connect(appUrl: string) {
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
