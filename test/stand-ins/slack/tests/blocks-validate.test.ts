import { expect, test } from 'vitest';
import { input, modal, section, setUp } from './setting.ts';

const METHOD = 'blocks.validate';
const WRONG = [section(''), { type: 'nothing' }];

test.each([
  ['message', { blocks: [section('x')], attachments: [{ blocks: [section('x')] }] }],
  ['view', modal()],
])('what Slack accepts is accepted: %s', async (kind, value) => {
  const { call } = await setUp();
  expect(await call(METHOD, { [kind]: value })).toEqual({ ok: true });
});

test.each([
  ['message', { blocks: WRONG }, '/blocks/1/type'],
  ['message', { attachments: [{ blocks: WRONG }] }, '/attachments/0/blocks/1/type'],
  ['view', modal({ blocks: WRONG }), '/blocks/1/type'],
])('the pointers of all problems are below what was sent: %s', async (kind, value, pointer) => {
  const { call } = await setUp();
  const answer = await call(METHOD, { [kind]: value });
  expect(answer).toMatchObject({ ok: false, error: `invalid_${kind}` });
  const code = 'failed_constraint';
  expect(answer.errors).toHaveLength(2);
  expect(answer.errors).toContainEqual({ code, message: 'unsupported type: nothing', pointer });
});

test.each([{}, { view: modal(), message: { blocks: [section('x')] } }])(
  'exactly one kind is validated at a time',
  async (args) => {
    const { call } = await setUp();
    const messages = ['must provide exactly one of `blocks`, `view`, or `message`'];
    const response_metadata = { messages };
    expect(await call(METHOD, args)).toEqual({
      ok: false,
      error: 'invalid_arguments',
      response_metadata,
    });
  },
);

test.each([
  ['message', 'x'],
  ['message', { text: 'x' }],
  ['message', { blocks: [section('x')], channel: 'C0123' }],
  ['message', '{'],
  ['view', '[]'],
])('anything else is refused: %s %j', async (kind, value) => {
  const { call } = await setUp();
  expect(await call(METHOD, { [kind]: value })).toMatchObject({ error: `invalid_${kind}` });
});

test('what is too large, or needs a scope, is refused as where it is shown', async () => {
  const { call } = await setUp({ withoutScopes: ['files:read'] });
  const large = Array.from({ length: 100 }, () => section('x'.repeat(2900)));
  const view = modal({ blocks: large });
  expect(await call(METHOD, { view })).toEqual({ ok: false, error: 'view_too_large' });
  const message = { blocks: large.slice(0, 5) };
  expect(await call(METHOD, { message })).toEqual({ ok: false, error: 'msg_blocks_too_long' });
  const files = modal({ blocks: [input('files', 'Files', { type: 'file_input' })] });
  expect(await call(METHOD, { view: files })).toMatchObject({ error: 'missing_scope' });
});

test('it needs a token', async () => {
  const { call } = await setUp();
  expect(await call(METHOD, { view: modal() }, '')).toMatchObject({ error: 'not_authed' });
});
