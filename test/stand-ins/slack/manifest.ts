import { isIPv4 } from 'node:net';
import { z } from 'zod';

const slashCommand = z.object({
  command: z.string(),
  description: z.string().optional(),
  usage_hint: z.string().optional(),
  should_escape: z.boolean().optional(),
});

/** Source: docs.slack.dev/reference/app-manifest. */
export const shortcuts = z
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

/** As Slack accepts them. */
export const unfurlDomains = z.array(unfurlDomain).max(5);

/** Source: docs.slack.dev/messaging/work-objects-implementation. */
export const richPreviews = z.strictObject({
  is_active: z.boolean(),
  entity_types: z
    .array(z.enum(['task', 'file', 'incident', 'content_item', 'item'].map(entityType)))
    .min(1),
});

function entityType<Name extends string>(name: Name): `slack#/entities/${Name}` {
  return `slack#/entities/${name}`;
}

const PRIMITIVES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const OF_SLACK =
  'blocks canvas_id channel_id date file_id list_id message_context message_ts options_field ' +
  'options_select rich_text team_id timestamp user_context user_id usergroup_id';
/** Source: docs.slack.dev/reference/types. */
export const parameterType = z.enum([
  ...PRIMITIVES,
  ...OF_SLACK.split(' ').map((name) => `slack#/types/${name}`),
]);

const parameter = z.object({
  type: parameterType,
  title: z.string(),
  description: z.string().optional(),
  is_required: z.boolean().optional(),
  dynamic_options: z
    .object({
      function: z.string(),
      inputs: z.record(z.string(), z.object({ value: z.string() })),
    })
    .optional(),
});
const parameters = z.record(z.string(), parameter);
const appFunction = z.object({
  title: z.string(),
  description: z.string().optional(),
  input_parameters: parameters,
  output_parameters: parameters,
});
export type AppFunction = z.infer<typeof appFunction>;
/** Optional scopes are listed in both lists (docs.slack.dev/app-manifests: bot_optional). */
const scopes = z
  .object({
    bot: z.array(z.string()).optional(),
    bot_optional: z.array(z.string()).optional(),
  })
  .refine(
    ({ bot = [], bot_optional: optional = [] }) => optional.every((scope) => bot.includes(scope)),
    'bot_optional: each must also be in bot',
  );

const manifestShape = z.object({
  functions: z.record(z.string(), appFunction).optional(),
  display_information: z.object({ name: z.string() }).optional(),
  features: z
    .object({
      app_home: z
        .object({
          home_tab_enabled: z.boolean().optional(),
          messages_tab_enabled: z.boolean().optional(),
          messages_tab_read_only_enabled: z.boolean().optional(),
        })
        .optional(),
      shortcuts: shortcuts.optional(),
      slash_commands: z.array(slashCommand).optional(),
      unfurl_domains: unfurlDomains.optional(),
      rich_previews: richPreviews.optional(),
    })
    .optional(),
  oauth_config: z
    .object({
      redirect_urls: z.array(z.string()).optional(),
      scopes: scopes.optional(),
    })
    .optional(),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).optional() }).optional(),
      interactivity: z.object({ is_enabled: z.boolean().optional() }).optional(),
      token_rotation_enabled: z.boolean().optional(),
      org_deploy_enabled: z.boolean().optional(),
      function_runtime: z.literal('remote').optional(),
    })
    .optional(),
});

/** Something that people start without typing a command. */
export interface Shortcut {
  name: string;
  /** In the composer and Slack's search, or in the menu of a message. */
  type: 'global' | 'message';
  callbackId: string;
}

/** What the stand-in needs to know about an app, read from its manifest. */
export interface AppManifest {
  name: string;
  commands: string[];
  /** What the composer suggests while a person types. */
  slashCommands: {
    command: string;
    description: string;
    usageHint: string;
    /** Whether people, channels, and URLs are marked up in what is typed. */
    shouldEscape: boolean;
  }[];
  shortcuts: Shortcut[];
  unfurlDomains: string[];
  botScopes: string[];
  /** Those of them that whoever installs the app may leave out. */
  optionalScopes: string[];
  botEvents: string[];
  redirectUrls: string[];
  interactive: boolean;
  homeTab: boolean;
  /** Off unless the manifest enables it; without it, the app can't send direct messages. */
  messagesTab: boolean;
  tokenRotation: boolean;
  /** The types of Work Objects that are turned on. */
  entityTypes: string[];
  /** Steps for Workflow Builder, and what lists their options, by callback ID. */
  functions: Record<string, AppFunction>;
}

/**
 * Reads a parsed manifest (the content of manifest.yml). Throws a ZodError if a section doesn't have Slack's shape.
 */
export function readManifest(manifest: unknown): AppManifest {
  const parsed = manifestShape.parse(manifest);
  const { display_information, features, oauth_config, settings, functions = {} } = parsed;
  checkFunctions(functions, settings ?? {});
  return {
    name: display_information?.name ?? 'App',
    commands: (features?.slash_commands ?? []).map(({ command }) => command),
    slashCommands: (features?.slash_commands ?? []).map((offered) => ({
      command: offered.command,
      description: offered.description ?? '',
      usageHint: offered.usage_hint ?? '',
      shouldEscape: offered.should_escape ?? false,
    })),
    shortcuts: (features?.shortcuts ?? []).map(({ name, type, callback_id }) => ({
      name,
      type,
      callbackId: callback_id,
    })),
    unfurlDomains: features?.unfurl_domains ?? [],
    botScopes: oauth_config?.scopes?.bot ?? [],
    optionalScopes: oauth_config?.scopes?.bot_optional ?? [],
    botEvents: settings?.event_subscriptions?.bot_events ?? [],
    redirectUrls: oauth_config?.redirect_urls ?? [],
    interactive: settings?.interactivity?.is_enabled ?? false,
    homeTab: features?.app_home?.home_tab_enabled ?? false,
    messagesTab: features?.app_home?.messages_tab_enabled ?? false,
    tokenRotation: settings?.token_rotation_enabled ?? false,
    entityTypes: features?.rich_previews?.is_active ? features.rich_previews.entity_types : [],
    functions,
  };
}

/**
 * Throws if Slack would refuse the functions. Source: docs.slack.dev/tools/bolt-js/tutorials/custom-steps and
 * docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options.
 */
function checkFunctions(
  functions: Record<string, AppFunction>,
  settings: NonNullable<z.infer<typeof manifestShape>['settings']>,
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
