import type { JsonObject } from '../stand-ins/slack/json.ts';
import type { Execution, User } from '../stand-ins/slack/state/model.ts';
import type { World } from './world.ts';

export const STEP = 'create_design_request';

/** Everything the step asks for, as a workflow fills it in. */
export const stepInputs = (world: World, who: User = world.ann): JsonObject => ({
  requested_by: who.id,
  title: 'Spring banner',
  request_type: 'type-social',
  product: 'Graphics',
  description: 'A banner for the spring sale.\nFor everyone.',
  sizes: 'Post: 1080 × 1080 px',
  software: 'Figma',
  formats: 'PNG, JPG',
});

/** Runs the step, with some inputs changed. */
export const runStep = (world: World, changes: JsonObject = {}) =>
  world.acme.runStep(STEP, { ...stepInputs(world), ...changes });

/** Resolves once the workflow may continue, or has failed. */
export const ended = (world: World, execution: Execution): Promise<unknown> =>
  world.slack.until(() => execution.state !== 'running', 'the end of the step');
