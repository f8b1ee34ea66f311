import type { WorkspaceId } from '../../installations/workspace-id.ts';

/** The step's callback ID in manifest.yml. */
export const CREATE_STEP = 'create_design_request';

/** The functions that list the options of the step's menus, by callback ID in manifest.yml. */
export const STEP_OPTIONS = {
  types: 'list_request_types',
  brands: 'list_brands',
  products: 'list_products',
} as const;

const SYNCHRONOUS = new Set<string>(Object.values(STEP_OPTIONS));

/**
 * Whether a function has to be completed before its event is acknowledged, because someone waits for
 * its options in Workflow Builder
 * (docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options).
 */
export const isSynchronous = (callbackId: string): boolean => SYNCHRONOUS.has(callbackId);

const PREFIX = 'step';

/**
 * The ID of the request that a run of the step creates. It follows from the run, so however often
 * Slack delivers a run, there is one request.
 */
export const requestIdOf = (workspaceId: WorkspaceId, executionId: string): string =>
  [PREFIX, workspaceId, executionId].join('/');

/** The run of the step that a request comes from; undefined for requests from the form. */
export function executionOf({ id }: { id: string }): string | undefined {
  const [prefix, , executionId] = id.split('/');
  return prefix === PREFIX ? executionId : undefined;
}
