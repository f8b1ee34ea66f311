import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const file = new URL('../../../../manifest.yml', import.meta.url);

const shape = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({})) }),
  oauth_config: z.looseObject({
    scopes: z.looseObject({
      bot: z.array(z.string()),
      bot_optional: z.array(z.string()).optional(),
    }),
  }),
  settings: z.looseObject({
    event_subscriptions: z.looseObject({ bot_events: z.array(z.string()) }),
  }),
});

/** What a test changes in the app's own manifest. */
export interface ManifestChanges {
  withScopes?: string[];
  withoutScopes?: string[];
  /** That whoever installs the app may leave out. */
  withOptionalScopes?: string[];
  events?: string[];
  homeTab?: boolean;
  messagesTab?: boolean;
  tokenRotation?: boolean;
  redirectUrls?: string[];
  shouldEscape?: boolean;
  workObjects?: boolean;
}

/** The app's own manifest, parsed, with changes. */
export function manifest(changes: ManifestChanges = {}): unknown {
  const { features, oauth_config, settings, ...rest } = shape.parse(
    parse(readFileSync(file, 'utf8')),
  );
  const { bot, bot_optional: optional = [] } = oauth_config.scopes;
  const { withScopes: added = [], withOptionalScopes = [] } = changes;
  const mayLack = [...new Set([...optional, ...withOptionalScopes])];
  const isLeft = (scope: string) => !changes.withoutScopes?.includes(scope);
  return {
    ...rest,
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
      slash_commands: features.slash_commands.map((command) => ({
        ...command,
        should_escape: changes.shouldEscape ?? false,
      })),
    },
    oauth_config: {
      ...oauth_config,
      redirect_urls: changes.redirectUrls ?? ['https://example.com/slack/oauth_redirect'],
      scopes: {
        bot: [...new Set([...bot, ...added, ...mayLack])].filter(isLeft),
        bot_optional: mayLack.filter(isLeft),
      },
    },
    settings: {
      ...settings,
      token_rotation_enabled: changes.tokenRotation ?? false,
      event_subscriptions: { bot_events: changes.events ?? ['link_shared'] },
    },
  };
}
