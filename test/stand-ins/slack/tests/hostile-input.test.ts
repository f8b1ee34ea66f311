import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../any-text.ts';
import { signatureOf } from '../signing.ts';
import { linksIn } from '../state/links.ts';
import { setUp } from './setting.ts';

const METHODS = [
  'chat.postMessage',
  'chat.update',
  'chat.unfurl',
  'views.open',
  'views.update',
  'views.publish',
  'conversations.info',
  'conversations.members',
  'conversations.open',
  'users.info',
  'oauth.v2.access',
];
const NAMES = [
  'channel',
  'ts',
  'text',
  'blocks',
  'attachments',
  'unfurls',
  'view',
  'view_id',
  'user',
];

test('whatever an app sends, the Web API answers with ok or an error', async () => {
  const { slack, workspace } = await setUp({ homeTab: true });
  const body = fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), body, async (method, args) => {
      const response = await fetch(slack.apiUrl + method, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${workspace.botToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(args),
      });
      expect(response.status).toBe(200);
      expect(Object(await response.json())).toHaveProperty('ok');
    }),
    { numRuns: 200 },
  );
});

test('a signature is valid for one body, one time, and one secret', () => {
  const text = fc.string({ unit: anyCharacter });
  fc.assert(
    fc.property(text, text, fc.nat(), fc.nat(), (body, other, moment, later) => {
      const same = body === other && moment === later;
      expect(signatureOf('s', moment, body) === signatureOf('s', later, other)).toBe(same);
      expect(signatureOf('s', moment, body)).not.toBe(signatureOf('t', moment, body));
    }),
  );
});

test('only links on the domain are found, whatever is around them', () => {
  const around = fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '|', '.', 'é', '\n') });
  fc.assert(
    fc.property(around, around, (before, after) => {
      const card = 'https://app.example.com/card/7';
      const text = `${before} ${card} https://app.example.com.evil.test/7 ${after}`;
      expect(linksIn(text, ['app.example.com'])).toEqual([
        { url: card, domain: 'app.example.com' },
      ]);
    }),
  );
});
