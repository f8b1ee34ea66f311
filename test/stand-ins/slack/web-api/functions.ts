import { asObject, asText, isObject, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { Execution } from '../state/model.ts';
import { type BotCall, jsonArgument, type Method, requiredText } from './method.ts';

/** Source of the errors: docs.slack.dev/reference/methods/functions.completeSuccess. */
function runningExecution({ state, workspace, args }: BotCall): Execution {
  const execution = state.executions.get(requiredText(args, 'function_execution_id'));
  if (execution?.workspaceId !== workspace.id) return refuse('function_execution_not_found');
  if (execution.state !== 'running') return refuse('execution_not_in_running_state');
  return execution;
}

function isOption(value: unknown): boolean {
  const { text, value: chosen, ...others } = asObject(value);
  const { type, text: shown, ...more } = asObject(text);
  const isText = type === 'plain_text' && asText(shown) !== '' && asText(shown).length <= 75;
  const isBare = Object.keys(others).length === 0 && Object.keys(more).length === 0;
  return isText && isBare && asText(chosen) !== '' && asText(chosen).length <= 150;
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'slack#/types/options_select') {
    return Array.isArray(value) && value.length <= 100 && value.every(isOption);
  }
  return type === 'string' && typeof value === 'string';
}

function completeSuccess(call: BotCall): JsonObject {
  const { state, args } = call;
  const outputs = jsonArgument(args, 'outputs', 'invalid_arguments');
  if (!isObject(outputs)) return refuse('invalid_arguments');
  const execution = runningExecution(call);
  const declared = state.manifest.functions[execution.callbackId]?.output_parameters ?? {};
  const problems = [
    ...Object.keys(outputs).filter((name) => !declared[name]),
    ...Object.entries(declared)
      .filter(([name, { type, is_required }]) =>
        outputs[name] === undefined ? is_required : !isOfType(type, outputs[name]),
      )
      .map(([name]) => name),
  ];
  if (problems.length > 0) return refuse('parameter_validation_failed', problems);
  Object.assign(execution, { state: 'completed', outputs });
  state.feed.emit('execution');
  return {};
}

function completeError(call: BotCall): JsonObject {
  const error = requiredText(call.args, 'error');
  Object.assign(runningExecution(call), { state: 'failed', error });
  call.state.feed.emit('execution');
  return {};
}

/** The results of an app's functions. Source: docs.slack.dev: no scope is needed. */
export const functionMethods: Record<string, Method> = {
  'functions.completeSuccess': { by: 'bot', scopes: [], call: completeSuccess },
  'functions.completeError': { by: 'bot', scopes: [], call: completeError },
};
