import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { FormOptions } from '../../service/cache/reference-lists.ts';
import { isPassing } from '../../service/errors.ts';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import { interactionNamed } from '../listener/delivery.ts';
import type { StepArgs } from '../listener/replies.ts';
import { productsOf } from '../request-form/draft.ts';
import { asChoices, type Choice, choiceOf, isDigest } from '../request-form/options.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { failStep, finishStep } from './finish-step.ts';
import { requestIdOf } from './ids.ts';
import { readInputs } from './read-inputs.ts';

/**
 * Creates a request for a run of the step, in the same way as the form. Its event is a job, so it
 * may be handled again, after a crash or because Slack repeated it: the request's ID follows from
 * the run, and a request that exists is left alone, whatever became of it since.
 */
export async function onCreateStep(
  deps: SlackDeps,
  { event, client }: StepArgs,
  { workspaceId, person }: AllowedUser,
): Promise<void> {
  const { function_execution_id: executionId, inputs } = event;
  const formId = requestIdOf(workspaceId, executionId);
  const existing = await deps.requests.get(workspaceId, formId);
  if (existing) return finishStep(deps, client, existing);

  const options = await listsFor(deps, workspaceId, inputs);
  const read = readInputs(inputs, { options, partnerName: deps.partnerName, now: deps.now() });
  if ('problem' in read) return failStep(deps, { client, executionId }, read.problem);
  await submitRequest(deps, {
    formId,
    workspaceId,
    userId: person.id,
    form: read.form,
    // Of two processes that handle the same run at once, one submits.
    interaction: interactionNamed(workspaceId, formId),
  });
}

/**
 * The service's lists, to name what was chosen. Without them the request is stored all the same, and
 * waits for the key or the service, unless a choice can't be read without them.
 *
 * @throws DesignApiError if it can't be read now, but may be later
 */
async function listsFor(
  deps: SlackDeps,
  workspaceId: WorkspaceId,
  inputs: Record<string, unknown>,
): Promise<FormOptions | undefined> {
  try {
    return await deps.lists.connected(workspaceId);
  } catch (error) {
    // Rethrows what isn't about the service.
    wordsForServiceError(error);
    const needsLists = Object.values(inputs).some((value) => isDigest(String(value)));
    if (needsLists && isPassing(error)) throw error;
    deps.log.info({ err: error, workspace: workspaceId }, 'a workflow step goes on without lists');
    return undefined;
  }
}

// The options of the step's menus, in Workflow Builder.

type Listing = (deps: SlackDeps, args: StepArgs, user: AllowedUser) => Promise<readonly Choice[]>;

export const listTypes: Listing = async (deps, _args, { workspaceId }) =>
  (await deps.lists.connected(workspaceId)).requestTypes;

export const listBrands: Listing = async (deps, _args, { workspaceId }) => {
  const { brands } = await deps.lists.connected(workspaceId);
  return brands ?? deps.referenceLists.brands(workspaceId);
};

const chosen = z.object({ request_type: z.string() });

/** The products of the request type that is chosen in the step; all products without one. */
export const listProducts: Listing = async (deps, { event }, { workspaceId }) => {
  const options = await deps.lists.connected(workspaceId);
  const value = chosen.safeParse(event.inputs).data?.request_type;
  const requestType = value === undefined ? undefined : choiceOf(options.requestTypes, value);
  const { partnerName } = deps;
  return asChoices(productsOf({ options, partnerName, draft: { requestType } }));
};
