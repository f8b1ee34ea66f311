import { z } from 'zod';
import { workspaceIdOf } from '../../../installations/workspace-id.ts';
import { askSlack } from '../../ask-slack.ts';
import { type Check, failed, passed, skipped } from '../check.ts';
import { largestViews } from '../largest-views.ts';

/** Source: docs.slack.dev/reference/methods/blocks.validate. Other errors are about the call. */
const refusal = z.object({
  error: z.enum(['invalid_view', 'invalid_message', 'view_too_large', 'msg_blocks_too_long']),
  errors: z.array(z.object({ message: z.string(), pointer: z.string() })).catch([]),
});
/** Of the problems of one view, which may all have the same cause. */
const PROBLEMS_SHOWN = 3;

export const slackViews: Check = {
  name: 'slack-views',
  category: 'slack',
  about: 'Slack accepts the form, the Home tab, cards, and confirmations, however much they show.',
  needs: 'settings',
  async run({ config, authTest, now }) {
    const { apiUrl, access } = config.slack;
    const bot = await authTest();
    if (access.kind !== 'token' || bot?.kind !== 'answer' || !bot.body.ok) {
      return skipped('no token that Slack accepts');
    }
    const workspaceId = workspaceIdOf(String(bot.body.team_id));
    const canAttach = bot.scopes.includes('files:read');
    const views = Object.entries(largestViews(config, { workspaceId, canAttach, now: now() }));
    const refused: string[] = [];
    for (const [name, view] of views) {
      const args = Object.entries(view).map(([kind, value]) => [kind, JSON.stringify(value)]);
      const token = access.botToken;
      const answer = await askSlack({ apiUrl, token }, 'blocks.validate', Object.fromEntries(args));
      if (answer.kind === 'unreachable')
        return skipped(`Slack can't be reached (${answer.reason})`);
      if (answer.body.ok) continue;
      const { data } = refusal.safeParse(answer.body);
      if (!data) return skipped(`Slack doesn't check views for this token (${answer.body.error})`);
      const problems = data.errors.map(({ message, pointer }) => `${message} at ${pointer}`);
      refused.push(`${name}: ${problems.slice(0, PROBLEMS_SHOWN).join(', ') || data.error}`);
    }
    if (refused.length === 0) {
      return passed(`${views.map(([name]) => name).join(', ')}; Slack can't check the pane`);
    }
    return failed(
      `Slack refuses the largest views. ${refused.join('; ')}.`,
      'Update the app. If it is the newest version, send the output with `--support` to whoever maintains it.',
    );
  },
};
