import { expect, test } from 'vitest';
import { asObject } from '../json.ts';
import { setUp } from './setting.ts';

const STEP = 'create_design_request';
const OUTPUTS = { card_link: 'https://example.com', reference: 'DR-1' };
const OK = { ok: true };

const option = (changes: object = {}) => ({
  text: { type: 'plain_text', text: 'One' },
  value: '1',
  ...changes,
});

test('a run is completed once, by its own workspace, with what the manifest declares', async () => {
  const { slack, workspace, call, expectAnswers } = await setUp({ events: ['function_executed'] });
  const DONE = 'functions.completeSuccess';
  const FAILED = 'functions.completeError';
  const { execution, delivery } = workspace.runStep(STEP, {});
  const id = { function_execution_id: execution.id };
  const { botToken } = slack.addWorkspace({ name: 'Globex' });
  const unknown = { ok: false, error: 'function_execution_not_found' };
  expect(await call(FAILED, { ...id, error: 'No' }, botToken)).toMatchObject(unknown);
  const token = String(asObject(delivery.payload.event).bot_access_token);
  expect(await call(FAILED, { ...id, error: 'No' }, token)).toMatchObject({ ok: false });
  const { execution: menu } = workspace.runStep('list_brands', {});
  const list = (options: unknown) => ({ function_execution_id: menu.id, outputs: { options } });
  const invalid = 'parameter_validation_failed';
  await expectAnswers([
    [FAILED, { ...id, error: '' }, 'invalid_arguments'],
    [DONE, id, 'invalid_arguments'],
    [DONE, { ...id, outputs: {} }, invalid],
    [DONE, { ...id, outputs: { ...OUTPUTS, reference: undefined } }, invalid],
    [DONE, { ...id, outputs: { ...OUTPUTS, card_id: 7 } }, invalid],
    [DONE, { ...id, outputs: { ...OUTPUTS, other: 'x' } }, invalid],
    [DONE, { ...id, outputs: OUTPUTS }, OK],
    [DONE, { ...id, outputs: OUTPUTS }, 'execution_not_in_running_state'],
    [FAILED, { ...id, error: 'No' }, 'execution_not_in_running_state'],
    [DONE, list('One'), invalid],
    [DONE, list([option({ description: { type: 'plain_text', text: 'More' } })]), invalid],
    [DONE, list([option({ text: { type: 'mrkdwn', text: 'One' } })]), invalid],
    [DONE, list([option({ value: '' })]), invalid],
    [DONE, list([option({ text: { type: 'plain_text', text: 'x'.repeat(76) } })]), invalid],
    [DONE, list(Array.from({ length: 101 }, () => option())), invalid],
    [DONE, list([option()]), OK],
  ]);
});

test('the options of a step have to be listed before the acknowledgment', async () => {
  const { workspace, ann } = await setUp({ events: ['function_executed'] });
  // The scripted app acknowledges and does nothing.
  expect(await workspace.stepOptions({ builder: ann, step: STEP, input: 'brand' })).toEqual({
    options: [],
    error: expect.stringContaining('before it acknowledged'),
  });
});
