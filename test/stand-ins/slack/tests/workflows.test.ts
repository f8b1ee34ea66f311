import { describe, expect, it } from 'vitest';
import { asObject, type JsonObject } from '../json.ts';
import { readManifest } from '../manifest.ts';
import { manifest } from './manifest.ts';
import { setUp } from './setting.ts';

const STEP = 'create_design_request';
const EVENTS = { events: ['function_executed'] };
const OUTPUTS = { card_link: 'https://example.com', reference: 'DR-1' };

const option = (changes: JsonObject = {}) => ({
  text: { type: 'plain_text', text: 'One' },
  value: '1',
  ...changes,
});

describe('a run of a function', () => {
  it('is completed once, with the outputs that the manifest declares', async () => {
    const { workspace, call } = await setUp(EVENTS);
    const { execution } = workspace.runStep(STEP, {});
    const complete = (outputs: unknown) =>
      call('functions.completeSuccess', { function_execution_id: execution.id, outputs });
    for (const [outputs, error] of [
      [undefined, 'invalid_arguments'],
      [{}, 'parameter_validation_failed'],
      [{ ...OUTPUTS, reference: undefined }, 'parameter_validation_failed'],
      [{ ...OUTPUTS, card_id: 7 }, 'parameter_validation_failed'],
      [{ ...OUTPUTS, other: 'x' }, 'parameter_validation_failed'],
    ] as const) {
      expect(await complete(outputs)).toMatchObject({ ok: false, error });
    }
    expect(await complete(OUTPUTS)).toEqual({ ok: true });
    expect(execution).toMatchObject({ state: 'completed', outputs: OUTPUTS });
    const error = 'execution_not_in_running_state';
    expect(await complete(OUTPUTS)).toMatchObject({ ok: false, error });
    expect(
      await call('functions.completeError', { function_execution_id: execution.id, error: 'No' }),
    ).toMatchObject({ ok: false, error });
  });

  it('is unknown to other workspaces, and its token calls nothing', async () => {
    const { slack, workspace, call } = await setUp(EVENTS);
    const { execution, delivery } = workspace.runStep(STEP, {});
    const args = { function_execution_id: execution.id, error: 'No' };
    const other = slack.addWorkspace({ name: 'Globex' });
    const unknown = { ok: false, error: 'function_execution_not_found' };
    expect(await call('functions.completeError', args, other.botToken)).toMatchObject(unknown);
    const token = String(asObject(delivery.payload.event).bot_access_token);
    expect(await call('functions.completeError', args, token)).toMatchObject({ ok: false });
    expect(await call('functions.completeError', { ...args, error: '' })).toMatchObject({
      ok: false,
      error: 'invalid_arguments',
    });
    expect(await call('functions.completeError', args)).toEqual({ ok: true });
    expect(execution).toMatchObject({ state: 'failed', error: 'No' });
  });
});

describe('the options of a step', () => {
  it('have to be listed before the acknowledgment', async () => {
    const { workspace, ann } = await setUp(EVENTS);
    const list = () => workspace.stepOptions({ builder: ann, step: STEP, input: 'brand' });
    // The scripted app acknowledges and does nothing.
    expect(await list()).toEqual({
      options: [],
      error: expect.stringContaining('before it acknowledged'),
    });
  });

  it.each<[string, unknown]>([
    ['no list', 'One'],
    ['a description', [option({ description: { type: 'plain_text', text: 'More' } })]],
    ['mrkdwn', [option({ text: { type: 'mrkdwn', text: 'One' } })]],
    ['no value', [option({ value: '' })]],
    ['a long text', [option({ text: { type: 'plain_text', text: 'x'.repeat(76) } })]],
    ['more than 100', Array.from({ length: 101 }, () => option())],
  ])('are refused with %s', async (_name, options) => {
    const { workspace, call } = await setUp(EVENTS);
    const { execution } = workspace.runStep('list_brands', {});
    const args = { function_execution_id: execution.id, outputs: { options } };
    expect(await call('functions.completeSuccess', args)).toMatchObject({
      ok: false,
      error: 'parameter_validation_failed',
    });
  });
});

describe('the manifest of an app with functions', () => {
  const base = Object(manifest());
  const lister = {
    ...{ title: 'List', description: 'Lists them' },
    input_parameters: { query: { type: 'string', title: 'Query' } },
    output_parameters: { options: { type: 'slack#/types/options_select', title: 'Options' } },
  };
  const withOptions = (dynamic_options: JsonObject) => ({
    ...base,
    functions: {
      lister,
      step: {
        ...{ title: 'Step', description: 'Takes it' },
        input_parameters: { brand: { type: 'string', title: 'Brand', dynamic_options } },
        output_parameters: {},
      },
    },
  });
  const query = { value: '{{client.query}}' };

  it('needs the settings for them, and a function for each menu', () => {
    const complete = withOptions({ function: '#/functions/lister', inputs: { query } });
    expect(Object.keys(readManifest(complete).functions)).toEqual(['lister', 'step']);
    const { function_runtime: _runtime, ...settings } = base.settings;
    expect(() => readManifest({ ...complete, settings })).toThrow('function_runtime');
    for (const dynamic of [
      { function: '#/functions/step', inputs: {} },
      { function: '#/functions/lister', inputs: { other: query } },
      { function: '#/functions/lister', inputs: { query: { value: '{{input_parameters.x}}' } } },
      { function: '#/functions/lister', inputs: { query: { value: '{{client.other}}' } } },
    ]) {
      expect(() => readManifest(withOptions(dynamic))).toThrow('#/functions/');
    }
  });

  it.each(['date', 'text', 'slack#/types/string'])('refuses an input of the type %s', (type) => {
    const { functions, ...complete } = withOptions({ function: '#/functions/lister', inputs: {} });
    functions.step.input_parameters.brand.type = type;
    expect(() => readManifest({ ...complete, functions })).toThrow('Invalid option');
  });
});
