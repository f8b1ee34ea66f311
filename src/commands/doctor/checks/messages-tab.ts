import { type Check, failed, passed, skipped } from '../check.ts';
import { manifestOf } from '../slack-manifest.ts';

export const messagesTab: Check = {
  name: 'messages-tab',
  category: 'slack',
  about: "The app's Messages tab is on: without it, Slack refuses direct messages to people.",
  needs: 'settings',
  async run(context) {
    const manifest = await manifestOf(context);
    if (typeof manifest === 'string') return skipped(manifest);
    if (manifest.features?.app_home?.messages_tab_enabled) return passed('on');
    return failed(
      'The Messages tab is off, so people get no direct messages.',
      'api.slack.com/apps → your app → App Home → Messages Tab, or replace the manifest (`npm run app -- manifest`).',
    );
  },
};
