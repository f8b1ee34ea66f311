import { z } from 'zod';
import { kind, text } from '../block-kit/parts.ts';
import { isObject, type JsonObject } from '../json.ts';
import { refuse } from '../refusal.ts';
import type { Execution } from '../state/model.ts';
import { type BotCall, jsonArgument, requiredText } from './method.ts';

/** Source of the errors: docs.slack.dev/reference/methods/functions.completeSuccess. */
function runningExecution({ state, workspace, args }: BotCall): Execution {
  const execution = state.executions.get(requiredText(args, 'function_execution_id'));
  if (execution?.workspaceId !== workspace.id) return refuse('function_execution_not_found');
  if (execution.state !== 'running') return refuse('execution_not_in_running_state');
  return execution;
}

/** What an output of each type may be. */
const OUTPUTS: Record<string, z.ZodType> = {
  string: z.string(),
  'slack#/types/options_select': z
    .array(z.strictObject({ text: kind('plain_text', { text: text(75) }), value: text(150) }))
    .max(100),
};

const isOfType = (type: string, value: unknown): boolean =>
  OUTPUTS[type]?.safeParse(value).success === true;

export function completeSuccess(call: BotCall): JsonObject {
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
  state.feed.emit();
  return {};
}

export function completeError(call: BotCall): JsonObject {
  const error = requiredText(call.args, 'error');
  Object.assign(runningExecution(call), { state: 'failed', error });
  call.state.feed.emit();
  return {};
}
