import { until } from '../change-feed.ts';
import { type EventSender, sendEvent } from './events.ts';
import type { JsonObject } from './json.ts';
import type { AppFunction } from './manifest.ts';
import type { Execution, User } from './state/model.ts';
import type { WorkspaceRecord } from './state/state.ts';

const TOKEN_BYTES = 24;
/** Only failures take that long, on however busy a machine. */
const UNTIL_MS = 30_000;

function functionNamed({ state }: EventSender, callbackId: string): AppFunction {
  const found = state.manifest.functions[callbackId];
  if (!found) throw new Error(`The app has no function ${callbackId}`);
  return found;
}

const parametersOf = (parameters: AppFunction['input_parameters']) =>
  Object.entries(parameters).map(([name, { type, title, description = '', is_required }]) => ({
    type,
    name,
    description,
    title,
    is_required: is_required ?? false,
  }));

/**
 * Runs a function of the app, as a workflow does. Slack checks that required inputs are set when a workflow is saved,
 * but what they refer to may be empty when it runs. Shape: Bolt's `FunctionExecutedEvent`.
 */
export function runFunction(
  sender: EventSender,
  workspace: WorkspaceRecord,
  callbackId: string,
  inputs: JsonObject,
) {
  const { state } = sender;
  const { title, description = '', ...declared } = functionNamed(sender, callbackId);
  const unknown = Object.keys(inputs).filter((name) => !declared.input_parameters[name]);
  if (unknown.length > 0) throw new Error(`${callbackId} has no input ${unknown.join()}`);
  const execution: Execution = {
    id: state.ids.next('Fx'),
    workspaceId: workspace.id,
    callbackId,
    inputs,
    state: 'running',
    outputs: {},
    error: '',
  };
  state.executions.set(execution.id, execution);
  state.feed.emit();
  const delivery = sendEvent(sender, workspace, {
    type: 'function_executed',
    function: {
      id: `Fn${callbackId}`,
      callback_id: callbackId,
      title,
      description,
      type: 'app',
      input_parameters: parametersOf(declared.input_parameters),
      output_parameters: parametersOf(declared.output_parameters),
      app_id: state.app.id,
    },
    inputs,
    function_execution_id: execution.id,
    event_ts: state.ids.ts(),
    bot_access_token: `xwfp-${state.ids.secret(TOKEN_BYTES)}`,
  });
  if (!delivery) throw new Error('The manifest doesn’t subscribe to function_executed');
  return { execution, delivery };
}

/**
 * Lists the options of one of a step's inputs, for the person who edits the workflow. Slack wants the function to be
 * complete before the app acknowledges it. Source: docs.slack.dev, custom steps dynamic options.
 */
export async function listOptions(
  sender: EventSender,
  workspace: WorkspaceRecord,
  { builder, step, input, inputs = {}, query = '' }: OptionsOf,
) {
  const dynamic = functionNamed(sender, step).input_parameters[input]?.dynamic_options;
  if (!dynamic) throw new Error(`${input} of ${step} has no dynamic options`);
  const given = Object.entries(dynamic.inputs).map(([name, { value }]) => {
    if (value === '{{client.query}}') return [name, query];
    if (value === '{{client.builder_context}}') {
      return [name, { id: builder.id, secret: sender.state.ids.secret(TOKEN_BYTES) }];
    }
    return [name, inputs[value.slice('{{input_parameters.'.length, -'}}'.length)]];
  });
  const callbackId = dynamic.function.replace('#/functions/', '');
  const { execution, delivery } = runFunction(
    sender,
    workspace,
    callbackId,
    Object.fromEntries(given.filter(([, value]) => value !== undefined)),
  );
  const { feed } = sender.state;
  await until(feed, () => delivery.attempts.length > 0, 'an acknowledgment', UNTIL_MS);
  if (execution.state === 'completed') return { options: optionsIn(execution), error: '' };
  const late = 'The app didn’t list its options before it acknowledged the event.';
  return { options: [], error: execution.error || late };
}

export type OptionsOf = {
  builder: User;
  /** The step's callback ID, and the input whose options are listed. */
  step: string;
  input: string;
  inputs?: JsonObject;
  query?: string;
};

/** `functions.completeSuccess` has checked the shape. */
const optionsIn = ({ outputs }: Execution) =>
  (outputs.options as { text: { text: string }; value: string }[]).map(({ text, value }) => ({
    text: text.text,
    value,
  }));
