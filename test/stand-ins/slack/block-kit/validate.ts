import { inspectBlocks } from './block.ts';
import { type BlockKitProblem, inspectionOf, isObject, type Surface } from './check.ts';
import { unfurl } from './unfurl.ts';
import { inspectView } from './view.ts';

export type { BlockKitProblem, Surface } from './check.ts';

/**
 * What Slack would refuse in an array of blocks on this surface; an empty array if nothing. Pointers start with
 * `/blocks`. Sources: docs.slack.dev/reference/block-kit and @slack/types.
 */
export function validateBlocks(blocks: unknown, surface: Surface): BlockKitProblem[] {
  const inspection = inspectionOf(surface);
  inspectBlocks(blocks, '/blocks', inspection);
  return inspection.problems;
}

/**
 * What Slack would refuse in a modal or home view, as `views.*` accepts it (without the ID, state, and hash that
 * Slack adds). Pointers start with `/view`, as in Slack's answers.
 */
export function validateView(view: unknown): BlockKitProblem[] {
  if (!isObject(view)) return [{ message: 'must provide an object', pointer: '/view' }];
  if (view.type === undefined) {
    return [{ message: 'missing required field: type', pointer: '/view' }];
  }
  if (view.type !== 'modal' && view.type !== 'home') {
    return [{ message: 'must be a valid enum value', pointer: '/view/type' }];
  }
  const inspection = inspectionOf(view.type);
  inspectView(view, '/view', inspection);
  return inspection.problems;
}

/**
 * What Slack would refuse in the attachment of one URL in `chat.unfurl`. Pointers start at the attachment itself,
 * such as `/blocks/0/text`.
 */
export function validateUnfurl(given: unknown): BlockKitProblem[] {
  const inspection = inspectionOf('unfurl');
  unfurl(given, '', inspection);
  return inspection.problems;
}
