import { expect, test } from 'vitest';
import { modal, setUp } from './setting.ts';

test('a trigger opens one view', async () => {
  const { call, trigger } = await setUp();
  const trigger_id = await trigger();
  expect(await call('views.open', { trigger_id, view: modal() })).toMatchObject({ ok: true });
  expect(await call('views.open', { trigger_id, view: modal() })).toEqual({
    ok: false,
    error: 'exchanged_trigger_id',
  });
});

test('a trigger is valid for three seconds', async () => {
  const { call, trigger, pass } = await setUp();
  const inTime = await trigger();
  pass(3000);
  expect(await call('views.open', { trigger_id: inTime, view: modal() })).toMatchObject({
    ok: true,
  });
  const late = await trigger();
  pass(3001);
  expect(await call('views.open', { trigger_id: late, view: modal() })).toEqual({
    ok: false,
    error: 'expired_trigger_id',
  });
});

test('a trigger that Slack never issued is refused', async () => {
  const { call } = await setUp();
  const trigger_id = `12.34.${'a'.repeat(32)}`;
  expect(await call('views.open', { trigger_id, view: modal() })).toMatchObject({
    error: 'invalid_trigger_id',
  });
});

test.each([undefined, '', 'nonsense'])(
  'anything but a trigger is refused: %s',
  async (trigger_id) => {
    const { call } = await setUp();
    expect(await call('views.open', { trigger_id, view: modal() })).toMatchObject({
      error: 'invalid_arguments',
      response_metadata: {
        messages: ['[ERROR] invalid `trigger_id` [json-pointer:/trigger_id]'],
      },
    });
  },
);

test('one workspace’s trigger opens nothing with another workspace’s token', async () => {
  const { call, trigger, slack } = await setUp();
  const other = slack.addWorkspace({ name: 'Other' });
  const trigger_id = await trigger();
  expect(await call('views.open', { trigger_id, view: modal() }, other.botToken)).toMatchObject({
    error: 'invalid_trigger_id',
  });
});
