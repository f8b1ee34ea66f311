import { expect, it } from 'vitest';
import { reasonOf } from '../../src/commands/ask-slack.ts';

it.each([
  [
    'a DOMException as cause',
    new TypeError('failed', { cause: new DOMException('no') }),
    'TypeError',
  ],
  ['a number as code', Object.assign(new Error('no'), { code: 7 }), 'Error'],
  ['a code', Object.assign(new Error('secret'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['a redirect', new Error('unexpected redirect'), 'it redirects to another address'],
  ['text', 'no', 'error'],
  ['nothing', undefined, 'error'],
])('gives a reason for an error with %s', (_what, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
