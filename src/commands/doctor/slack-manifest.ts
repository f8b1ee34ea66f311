import { z } from 'zod';
import type { CheckContext } from './check.ts';

/** The parts of an exported manifest that are compared. Source: `AppsManifestExportResponse` of @slack/web-api. */
const exported = z.object({
  features: z
    .object({
      app_home: z.object({ messages_tab_enabled: z.boolean().optional() }).optional(),
      unfurl_domains: z.array(z.string()).optional(),
    })
    .optional(),
  settings: z
    .object({
      socket_mode_enabled: z.boolean().optional(),
      event_subscriptions: z.object({ request_url: z.string().optional() }).optional(),
    })
    .optional(),
});

/** @returns the app's manifest as Slack has it, or why it can't be read */
export async function manifestOf(
  context: Pick<CheckContext, 'manifest'>,
): Promise<z.infer<typeof exported> | string> {
  const answer = await context.manifest();
  if (!answer) {
    return "Slack shows the app's manifest only with an app configuration token (SLACK_CONFIG_TOKEN)";
  }
  if (answer.kind === 'unreachable') return `Slack can't be reached (${answer.reason})`;
  if (!answer.body.ok) return `Slack refused SLACK_CONFIG_TOKEN (${answer.body.error})`;
  return exported.parse(answer.body.manifest);
}
