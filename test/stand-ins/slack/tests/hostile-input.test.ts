import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setUp } from './setting.ts';

const METHODS = [
  ...['chat.postMessage', 'chat.update', 'chat.unfurl', 'views.open', 'views.update'],
  ...['views.publish', 'conversations.info', 'conversations.members', 'users.info'],
  'oauth.v2.access',
];
const NAMES = [
  ...['channel', 'ts', 'text', 'blocks', 'attachments', 'unfurls', 'view', 'view_id', 'user'],
];

test('whatever an app sends, the Web API answers with ok or an error', async () => {
  const { slack, workspace } = await setUp({ homeTab: true });
  const headers = {
    authorization: `Bearer ${workspace.botToken}`,
    'content-type': 'application/json',
  };
  const body = fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), body, async (method, args) => {
      const options = { method: 'POST', headers, body: JSON.stringify(args) };
      const response = await fetch(slack.apiUrl + method, options);
      expect(response.status).toBe(200);
      expect(Object(await response.json())).toHaveProperty('ok');
    }),
    { numRuns: 200 },
  );
});
