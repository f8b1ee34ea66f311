import { z } from 'zod';
import { parameterType, richPreviews, shortcuts, unfurlDomains } from './manifest.ts';

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
    unfurl_domains: unfurlDomains.min(1),
    rich_previews: richPreviews,
  }),
  oauth_config: z.strictObject({
    redirect_urls: z.array(address).max(1_000).optional(),
    scopes: z.strictObject({
      bot: z.array(z.string()).max(255),
      bot_optional: z.array(z.string()).max(255).optional(),
    }),
  }),
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
    .record(
      text(100),
      z.strictObject({
        title: text(255),
        description: text(1_000),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .refine((all) => Object.keys(all).length <= 50)
    .optional(),
});
