import { CARD_URL, type StandIns } from './stand-ins.ts';

const ENCRYPTION_KEY = `k1:${Buffer.alloc(32, 1).toString('base64')}`;

/** The addresses that one process is given. */
export type Addresses = { slack: string; service: string; databaseUrl: string };

export function settingsFor(
  { slack, service, acme }: StandIns,
  at: Addresses,
  { isInstalledByOAuth = false }: { isInstalledByOAuth?: boolean },
): Record<string, string> {
  return {
    ...(isInstalledByOAuth
      ? {
          SLACK_CLIENT_ID: slack.clientId,
          SLACK_CLIENT_SECRET: slack.clientSecret,
          PUBLIC_URL: 'https://design-request.example.com',
        }
      : { SLACK_BOT_TOKEN: acme.botToken, DESIGN_API_KEY: service.apiKey }),
    SLACK_API_URL: `${at.slack}/api/`,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    DESIGN_API_BASE_URL: `${at.service}/client/api`,
    CARD_URL_TEMPLATE: CARD_URL,
    DATABASE_URL: at.databaseUrl,
    ENCRYPTION_KEYS: ENCRYPTION_KEY,
    HOST: '127.0.0.1',
    PORT: '0',
  };
}
