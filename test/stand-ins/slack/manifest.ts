import { isIPv4 } from 'node:net';
import { z } from 'zod';

/** Source: docs.slack.dev/reference/app-manifest. */
const shortcuts = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(24),
      type: z.enum(['global', 'message']),
      callback_id: z.string().min(1).max(255),
      description: z.string().min(1).max(150),
    }),
  )
  .max(10);

/** Source: slackapi/manifest-schema. Slack can't reach IP addresses and local names either. */
const unfurlDomain = z
  .string()
  .regex(/^(?![.-])[-a-z0-9.]+[a-z0-9]$/)
  .refine(
    (domain) => !isIPv4(domain) && !/(^|\.)localhost$/.test(domain),
    'is not on the internet',
  );

/** Source: docs.slack.dev/messaging/work-objects-implementation. */
const richPreviews = z.strictObject({
  is_active: z.boolean(),
  entity_types: z.array(z.literal('slack#/entities/task')).min(1),
});

/** Those that the app uses. Source: docs.slack.dev/reference/types. */
const parameterType = z.enum([
  'boolean',
  'string',
  'slack#/types/channel_id',
  'slack#/types/date',
  'slack#/types/options_select',
  'slack#/types/user_context',
  'slack#/types/user_id',
]);

// Slack's published limits for the parts this app uses; any other key is refused.
// Source: docs.slack.dev/reference/app-manifest.
const text = (max: number, min = 1) => z.string().min(min).max(max);
const address = z.httpUrl().startsWith('https://');

const parameter = z.strictObject({
  name: text(255).optional(),
  type: parameterType,
  title: text(255),
  description: text(1_000).optional(),
  hint: text(1_000).optional(),
  is_required: z.boolean().optional(),
  dynamic_options: z
    .strictObject({
      function: z.string().startsWith('#/functions/'),
      inputs: z.record(z.string(), z.strictObject({ value: z.string() })),
    })
    .optional(),
});
const parameters = z
  .record(text(255).regex(/^\w+$/), parameter)
  .refine((all) => Object.keys(all).length <= 50);

const appFunction = z.strictObject({
  title: text(255),
  description: text(1_000),
  input_parameters: parameters,
  output_parameters: parameters,
});
export type AppFunction = z.infer<typeof appFunction>;
/** Optional scopes are listed in both lists (docs.slack.dev/app-manifests: bot_optional). */
const scopes = z
  .strictObject({
    bot: z.array(z.string()).max(255),
    bot_optional: z.array(z.string()).max(255).optional(),
  })
  .refine(
    ({ bot, bot_optional: optional = [] }) => optional.every((scope) => bot.includes(scope)),
    'bot_optional: each must also be in bot',
  );

export const slackManifest = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(1) }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140),
    long_description: text(4_000, 175),
    background_color: z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({
      display_name: text(80).regex(/^[a-z0-9._ -]+$/i),
      always_online: z.boolean(),
    }),
    shortcuts: shortcuts.min(1),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32).regex(/^\/[a-z0-9_-]+$/),
          url: address.optional(),
          description: text(2_000),
          usage_hint: text(1_000),
          should_escape: z.boolean(),
        }),
      )
      .max(50),
    unfurl_domains: z.array(unfurlDomain).min(1).max(5),
    rich_previews: richPreviews,
  }),
  oauth_config: z.strictObject({ redirect_urls: z.array(address).max(1_000).optional(), scopes }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: address.optional(),
      bot_events: z.array(z.string()).max(100),
    }),
    interactivity: z.strictObject({
      is_enabled: z.boolean(),
      request_url: address.optional(),
      message_menu_options_url: address.optional(),
    }),
    org_deploy_enabled: z.boolean(),
    function_runtime: z.literal('remote').optional(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
  // Source: docs.slack.dev/tools/bolt-js/tutorials/custom-steps (major version 1).
  functions: z
    .record(text(100), appFunction)
    .refine((all) => Object.keys(all).length <= 50)
    .optional(),
});

export type Shortcut = AppManifest['shortcuts'][number];

export type AppManifest = ReturnType<typeof readManifest>;

/** Reads the content of manifest.yml. Throws a ZodError if Slack would refuse it. */
export function readManifest(manifest: unknown) {
  const parsed = slackManifest.parse(manifest);
  const { features, oauth_config: access, settings, functions = {} } = parsed;
  checkFunctions(functions, settings);
  return {
    name: parsed.display_information.name,
    slashCommands: features.slash_commands.map((offered) => ({
      command: offered.command,
      description: offered.description,
      usageHint: offered.usage_hint,
      /** Whether people, channels, and URLs are marked up in what is typed. */
      shouldEscape: offered.should_escape,
    })),
    /** Global ones are in the composer and Slack's search, the others in the menu of a message. */
    shortcuts: features.shortcuts.map(({ name, type, callback_id: callbackId }) => ({
      name,
      type,
      callbackId,
    })),
    unfurlDomains: features.unfurl_domains,
    botScopes: access.scopes.bot,
    /** Those of them that whoever installs the app may leave out. */
    optionalScopes: access.scopes.bot_optional ?? [],
    botEvents: settings.event_subscriptions.bot_events,
    redirectUrls: access.redirect_urls ?? [],
    interactive: settings.interactivity.is_enabled,
    homeTab: features.app_home.home_tab_enabled,
    /** Off unless the manifest enables it; without it, the app can't send direct messages. */
    messagesTab: features.app_home.messages_tab_enabled,
    tokenRotation: settings.token_rotation_enabled,
    entityTypes: features.rich_previews.is_active ? features.rich_previews.entity_types : [],
    /** Steps for Workflow Builder, and what lists their options, by callback ID. */
    functions,
  };
}

/**
 * Throws if Slack would refuse the functions. Source: docs.slack.dev/tools/bolt-js/tutorials/custom-steps and
 * docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options.
 */
function checkFunctions(
  functions: Record<string, AppFunction>,
  settings: z.infer<typeof slackManifest>['settings'],
): void {
  if (Object.keys(functions).length === 0) return;
  if (!settings.org_deploy_enabled || settings.function_runtime !== 'remote') {
    throw new Error('functions need org_deploy_enabled and function_runtime: remote');
  }
  for (const [id, { input_parameters: inputs }] of Object.entries(functions)) {
    for (const { dynamic_options: dynamic } of Object.values(inputs)) {
      if (dynamic) checkDynamicOptions(functions, { id, inputs, dynamic });
    }
  }
}

const FROM_INPUT = /^\{\{input_parameters\.(\w+)\}\}$/;
const FROM_CLIENT = /^\{\{client\.(?:query|builder_context)\}\}$/;

function checkDynamicOptions(
  functions: Record<string, AppFunction>,
  given: {
    id: string;
    inputs: AppFunction['input_parameters'];
    dynamic: NonNullable<z.infer<typeof parameter>['dynamic_options']>;
  },
): void {
  const { id, inputs, dynamic } = given;
  const lister = functions[dynamic.function.replace('#/functions/', '')];
  if (lister?.output_parameters.options?.type !== 'slack#/types/options_select') {
    throw new Error(`${id}: ${dynamic.function} lists no options`);
  }
  for (const [name, { value }] of Object.entries(dynamic.inputs)) {
    const source = FROM_INPUT.exec(value)?.[1];
    const isKnown = source === undefined ? FROM_CLIENT.test(value) : inputs[source];
    if (!lister.input_parameters[name] || !isKnown) {
      throw new Error(`${id}: ${dynamic.function} can't get ${name}`);
    }
  }
}

/** The scopes that an installation gets. Throws if one that is left out isn't optional. */
export function scopesWithout(manifest: AppManifest, left: readonly string[]): string[] {
  const required = left.find((scope) => !manifest.optionalScopes.includes(scope));
  if (required) throw new Error(`${required} is not an optional scope`);
  return manifest.botScopes.filter((scope) => !left.includes(scope));
}
