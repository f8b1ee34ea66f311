import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const file = new URL('../../../../manifest.yml', import.meta.url);

/** Checked when Slack starts. */
const ORIGINAL = parse(readFileSync(file, 'utf8'));

export interface ManifestChanges {
  withoutScopes?: string[];
  events?: string[];
  homeTab?: boolean;
  messagesTab?: boolean;
  tokenRotation?: boolean;
  workObjects?: boolean;
}

export function manifest(changes: ManifestChanges = {}): unknown {
  const { features, oauth_config, settings } = ORIGINAL;
  const { bot, bot_optional: optional } = oauth_config.scopes;
  const isLeft = (scope: string) => !changes.withoutScopes?.includes(scope);
  return {
    ...ORIGINAL,
    features: {
      ...features,
      app_home: {
        home_tab_enabled: changes.homeTab ?? false,
        messages_tab_enabled: changes.messagesTab ?? true,
        messages_tab_read_only_enabled: true,
      },
      rich_previews: {
        is_active: changes.workObjects ?? true,
        entity_types: ['slack#/entities/task'],
      },
    },
    oauth_config: {
      ...oauth_config,
      scopes: { bot: bot.filter(isLeft), bot_optional: optional.filter(isLeft) },
    },
    settings: {
      ...settings,
      token_rotation_enabled: changes.tokenRotation ?? false,
      event_subscriptions: { bot_events: changes.events ?? ['link_shared'] },
    },
  };
}
