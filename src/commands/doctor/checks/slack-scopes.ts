import { SCOPES } from '../../../slack/words/install.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

/** Whoever installs the app may leave this one out; without it, the form takes links only. */
const OPTIONAL = new Set(['files:read']);

export const slackScopes: Check = {
  name: 'slack-scopes',
  category: 'slack',
  about: 'The token has every scope that the app uses.',
  atStart: true,
  needs: 'settings',
  async run({ authTest }) {
    const answer = await authTest();
    if (answer?.kind !== 'answer' || !answer.body.ok) return skipped('no token that Slack accepts');
    const missing = Object.keys(SCOPES).filter((scope) => !answer.scopes.includes(scope));
    const needed = missing.filter((scope) => !OPTIONAL.has(scope));
    if (needed.length > 0) {
      return failed(
        `The installation lacks scopes: ${needed.join(', ')}.`,
        "Replace the app's manifest with the one from `npm run app -- manifest`, and install the app again.",
      );
    }
    return passed(missing.length === 0 ? 'all' : 'all but files:read, so people attach only links');
  },
};
