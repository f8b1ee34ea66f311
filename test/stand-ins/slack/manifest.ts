import { z } from 'zod';

const slashCommand = z.object({
  command: z.string(),
  description: z.string().optional(),
  usage_hint: z.string().optional(),
  should_escape: z.boolean().optional(),
});

const manifestShape = z.object({
  display_information: z.object({ name: z.string() }).optional(),
  features: z
    .object({
      app_home: z.object({ home_tab_enabled: z.boolean().optional() }).optional(),
      slash_commands: z.array(slashCommand).optional(),
      unfurl_domains: z.array(z.string()).optional(),
    })
    .optional(),
  oauth_config: z
    .object({
      redirect_urls: z.array(z.string()).optional(),
      scopes: z.object({ bot: z.array(z.string()).optional() }).optional(),
    })
    .optional(),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).optional() }).optional(),
      interactivity: z.object({ is_enabled: z.boolean().optional() }).optional(),
      token_rotation_enabled: z.boolean().optional(),
    })
    .optional(),
});

/** What the stand-in needs to know of an app, read from its manifest. */
export interface AppManifest {
  name: string;
  commands: string[];
  /** What the composer offers while one types. */
  slashCommands: {
    command: string;
    description: string;
    usageHint: string;
    /** Whether people, channels and addresses are marked up in what is typed. */
    shouldEscape: boolean;
  }[];
  unfurlDomains: string[];
  botScopes: string[];
  botEvents: string[];
  redirectUrls: string[];
  interactive: boolean;
  homeTab: boolean;
  tokenRotation: boolean;
}

/**
 * Reads a parsed manifest (the object that manifest.yml holds).
 * Throws a ZodError where a section has another shape than Slack's.
 */
export function readManifest(manifest: unknown): AppManifest {
  const { display_information, features, oauth_config, settings } = manifestShape.parse(manifest);
  return {
    name: display_information?.name ?? 'App',
    commands: (features?.slash_commands ?? []).map(({ command }) => command),
    slashCommands: (features?.slash_commands ?? []).map((offered) => ({
      command: offered.command,
      description: offered.description ?? '',
      usageHint: offered.usage_hint ?? '',
      shouldEscape: offered.should_escape ?? false,
    })),
    unfurlDomains: features?.unfurl_domains ?? [],
    botScopes: oauth_config?.scopes?.bot ?? [],
    botEvents: settings?.event_subscriptions?.bot_events ?? [],
    redirectUrls: oauth_config?.redirect_urls ?? [],
    interactive: settings?.interactivity?.is_enabled ?? false,
    homeTab: features?.app_home?.home_tab_enabled ?? false,
    tokenRotation: settings?.token_rotation_enabled ?? false,
  };
}
