/** How to get each setting, shown to the operator when it is missing or wrong. */
export const HOW_TO_GET = {
  SLACK_SIGNING_SECRET: 'api.slack.com/apps → your app → Basic Information → Signing Secret.',
  SLACK_BOT_TOKEN:
    'api.slack.com/apps → your app → OAuth & Permissions → Bot User OAuth Token (xoxb-…).',
  SLACK_APP_TOKEN:
    'Only for Socket Mode: Basic Information → App-Level Tokens → generate one with connections:write (xapp-…).',
  SLACK_CLIENT_ID:
    'For many workspaces, instead of SLACK_BOT_TOKEN: Basic Information → Client ID.',
  SLACK_CLIENT_SECRET:
    'For many workspaces, with SLACK_CLIENT_ID: Basic Information → Client Secret.',
  SLACK_API_URL: 'Leave it out to use Slack itself (https://slack.com/api/).',
  SLACK_AUTHORIZE_URL: 'Leave it out to use Slack itself (https://slack.com/oauth/v2/authorize).',
  DESIGN_API_BASE_URL: "The base URL of your design service's API, from its documentation.",
  DESIGN_API_KEY:
    "Optional: the service's dashboard → account settings → integration tab. Or connect later with /design-request connect.",
  DESIGN_API_TIMEZONE:
    "The time zone of the service's timestamps, for example UTC or Europe/Berlin.",
  DESIGN_PARTNER_NAME:
    'Optional: the first word of the two partner products. Without it, they are offered once a request type or a card names one.',
  CARD_URL_TEMPLATE:
    'The URL of a card with {id} in place of its ID, for example https://app.example.com/card/{id}. Separate several with commas; at most five hosts.',
  DATABASE_URL:
    'sqlite:./data/design-request.db (the default), another file, or postgres://user:password@host:5432/name for several replicas.',
  ENCRYPTION_KEYS:
    'An existing database needs the keys that encrypted it. For a new one: `echo "k$(date +%F):$(openssl rand -base64 32)"`. To change it later, see docs/operations.md.',
  PUBLIC_URL: 'The https URL at which Slack, people, and the design service reach this app.',
  DESIGN_FILE_FORMAT:
    'How your design service expects the files of a new card: url (the default) or object.',
  FILE_MAX_MB: 'The largest file that people may attach, in MB, up to 1000. Default: 500.',
  SUPPORT_CONTACT:
    'Optional: an email address or https URL where people get help. Shown on the Home tab and on /privacy.',
  METRICS_TOKEN:
    'Optional: a secret of at least 32 characters, for example from `openssl rand -hex 32`.',
  PORT: 'A port number. Default: 3000.',
  HOST: 'The address to listen on. Default: 0.0.0.0, or 127.0.0.1 in Socket Mode without PUBLIC_URL.',
  LOG_LEVEL: 'One of trace, debug, info, warn, error, fatal, silent. Default: info.',
} as const satisfies Record<string, string>;

/** Every environment variable that the app reads. */
export type SettingName = keyof typeof HOW_TO_GET;
