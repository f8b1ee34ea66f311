import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { FormOptions, ReferenceLists } from '../../service/cache/reference-lists.ts';
import { isTransient } from '../../service/errors.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Transact } from '../../store/transact.ts';
import { type ListsForForms, productsOf } from '../request-form/draft.ts';
import { asChoices, type Choice, choiceOf, isDigest } from '../request-form/options.ts';
import type { AllowedUser } from '../surface/access.ts';
import { interactionNamed } from '../surface/delivery.ts';
import type { StepArgs } from '../surface/replies.ts';
import { wordsForServiceError } from '../words/errors.ts';
import type { StepRuns } from './finish-step.ts';
import { requestIdOf } from './ids.ts';
import { readInputs } from './read-inputs.ts';

const chosen = z.object({ request_type: z.string() });

/** The workflow step that creates a request, and the options of its menus in Workflow Builder. */
export function createWorkflowStep(deps: {
  lists: ListsForForms;
  referenceLists: Pick<ReferenceLists, 'brands'>;
  requests: Pick<RequestStore, 'get'>;
  runs: StepRuns;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { lists, referenceLists, requests, runs, transact, now, log } = deps;
  const { partnerName } = lists;

  /**
   * The service's lists, to name what was chosen. Without them the request is stored all the same, and
   * waits for the key or the service, unless a choice can't be read without them.
   *
   * @throws DesignApiError if it can't be read now, but may be later
   */
  async function optionsFor(
    workspaceId: WorkspaceId,
    inputs: Record<string, unknown>,
  ): Promise<FormOptions | undefined> {
    try {
      return await lists.connected(workspaceId);
    } catch (error) {
      // Rethrows what isn't about the service.
      wordsForServiceError(error);
      const needsLists = Object.values(inputs).some((value) => isDigest(String(value)));
      if (needsLists && isTransient(error)) throw error;
      log.info({ err: error, workspace: workspaceId }, 'a workflow step goes on without lists');
      return undefined;
    }
  }

  return {
    /**
     * Creates a request for a run of the step, in the same way as the form. Its event is a job, so it
     * may be handled again, after a crash or because Slack repeated it: the request's ID follows from
     * the run, and a request that exists is left alone, whatever became of it since.
     */
    async onRun({ event, client }: StepArgs, { workspaceId, userId }: AllowedUser): Promise<void> {
      const { function_execution_id: executionId, inputs } = event;
      const formId = requestIdOf(workspaceId, executionId);
      const existing = await requests.get(workspaceId, formId);
      if (existing) return runs.finish(client, existing);

      const options = await optionsFor(workspaceId, inputs);
      const read = readInputs(inputs, { options, partnerName, now: now() });
      if ('problem' in read) return runs.fail({ client, executionId }, read.problem);
      const submission = {
        formId,
        workspaceId,
        userId,
        form: read.form,
        // Of two processes that handle the same run at once, one submits.
        interaction: interactionNamed(workspaceId, formId),
      };
      await submitRequest({ transact, now }, submission);
    },

    listTypes: async (_args: StepArgs, { workspaceId }: AllowedUser): Promise<Choices> =>
      (await lists.connected(workspaceId)).requestTypes,

    async listBrands(_args: StepArgs, { workspaceId }: AllowedUser): Promise<Choices> {
      const { brands } = await lists.connected(workspaceId);
      return brands ?? referenceLists.brands(workspaceId);
    },

    /** The products of the request type that is chosen in the step; all products without one. */
    async listProducts({ event }: StepArgs, { workspaceId }: AllowedUser): Promise<Choices> {
      const options = await lists.connected(workspaceId);
      const value = chosen.safeParse(event.inputs).data?.request_type;
      const requestType = value === undefined ? undefined : choiceOf(options.requestTypes, value);
      return asChoices(productsOf({ options, partnerName, draft: { requestType } }));
    },
  };
}

type Choices = readonly Choice[];
