import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import { type CardLinks, newErrorReference } from '../../references.ts';
import type { DesignRequest } from '../../requests/request.ts';
import type { ClaimedJob } from '../../store/jobs.ts';
import type { RequestStore } from '../../store/requests.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { buttonsFor } from '../request-form/outcome.ts';
import { SLACK_JOBS } from '../surface/jobs.ts';
import { wordsForProblem } from '../words/errors.ts';
import { STEP_PROBLEMS, stepEnded, stepTimedOut } from '../words/workflow-step.ts';

/** The step's callback ID in manifest.yml. */
export const CREATE_STEP = 'create_design_request';

/** For how long a workflow waits until somebody decides about its request, in ms. */
const WAIT_MAX_MS = 7 * 24 * 60 * 60_000;

const PREFIX = 'step';

/** The ID of the request that a run creates: there is one, however often Slack delivers the run. */
export const requestIdOf = (workspaceId: WorkspaceId, executionId: string): string =>
  [PREFIX, workspaceId, executionId].join('/');

/** Undefined for requests from the form. */
function executionOf({ id }: DesignRequest): string | undefined {
  const [prefix, , executionId] = id.split('/');
  return prefix === PREFIX ? executionId : undefined;
}

const limitPayload = z.object({ requestId: z.string() });
const failedPayload = z.object({ executionId: z.string(), errorReference: z.string() });
const stepEvent = z.object({
  event: z.object({
    type: z.literal('function_executed'),
    function: z.object({ callback_id: z.literal(CREATE_STEP) }),
    function_execution_id: z.string(),
  }),
});

/** A run of a function that Slack waits for. */
type StepRun = { client: SlackClient; executionId: string };

export type StepRuns = ReturnType<typeof createStepRuns>;

export function createStepRuns(deps: {
  clients: SlackClients;
  requests: Pick<RequestStore, 'get'>;
  jobs: JobQueue;
  cards: CardLinks;
  log: Log;
}) {
  const { clients, requests, jobs, cards, log } = deps;

  /** Slack refuses a run that has ended: its answer was lost, or someone cancelled the workflow. */
  async function unlessEnded(call: Promise<unknown>): Promise<void> {
    try {
      await call;
    } catch (error) {
      if (outcomeOfCall(error) !== 'refused') throw error;
      log.info({ code: slackErrorCode(error) }, 'Slack refused the result of a workflow step');
    }
  }

  /** @param outputs as manifest.yml lists them */
  const complete = ({ client, executionId }: StepRun, outputs: Record<string, unknown>) =>
    unlessEnded(client.functions.completeSuccess({ function_execution_id: executionId, outputs }));

  /** @param words may contain backticks, as messages do; here, Slack would show them */
  const fail = ({ client, executionId }: StepRun, words: string) => {
    const error = words.replaceAll('`', '');
    return unlessEnded(
      client.functions.completeError({ function_execution_id: executionId, error }),
    );
  };

  /**
   * Ends the run that a request comes from, once its outcome is final. Until then, the workflow waits, for seven days:
   * a request that waits for a key is still sent, and its author may answer a question or fix it.
   *
   * @throws Slack's error if it may work later
   */
  async function finish(client: SlackClient, request: DesignRequest): Promise<void> {
    const executionId = executionOf(request);
    if (executionId === undefined) return;
    const { id: requestId, workspaceId, state, cardId, reference, problem, createdAt } = request;
    const run = { client, executionId };
    if (state === 'created') {
      return complete(run, {
        ...(cardId === undefined ? {} : { card_id: cardId }),
        card_link: cards.urlIfPossible(cardId) ?? cards.dashboardUrl,
        reference,
      });
    }
    const canBeFixed = buttonsFor(request, cards.dashboardUrl).length > 0;
    if (state === 'discarded' || (state === 'rejected' && !canBeFixed)) {
      const why = problem ? wordsForProblem(problem, { reference }) : '';
      return fail(run, stepEnded(request, why));
    }
    await jobs.add({
      kind: SLACK_JOBS.stepLimit,
      workspaceId,
      identity: `${SLACK_JOBS.stepLimit}/${requestId}`,
      payload: { requestId },
      runAt: new Date(createdAt.getTime() + WAIT_MAX_MS),
    });
  }

  /** The request stays as it is: its author may still send it. */
  const onLimit: JobHandler = async ({ workspaceId, payload }) => {
    const { requestId } = limitPayload.parse(payload);
    const request = await requests.get(workspaceId, requestId);
    const executionId = request && executionOf(request);
    // In these two states, the run was ended when the request was announced.
    if (!executionId || request.state === 'created' || request.state === 'discarded') return 'done';
    const client = await clients.of(workspaceId);
    await fail({ client, executionId }, stepTimedOut(request));
    return 'done';
  };

  const onFailed: JobHandler = async ({ workspaceId, payload }) => {
    const { executionId, errorReference } = failedPayload.parse(payload);
    // A request that exists ends its run itself.
    if (await requests.get(workspaceId, requestIdOf(workspaceId, executionId))) return 'done';
    const client = await clients.of(workspaceId);
    await fail({ client, executionId }, STEP_PROBLEMS.unexpected(errorReference));
    return 'done';
  };

  /** Called when an event was given up: if it ran the step, its workflow must not wait for ever. */
  async function onEventGivenUp({ id, workspaceId, payload }: ClaimedJob): Promise<void> {
    const { data } = stepEvent.safeParse(payload);
    if (!data) return;
    const errorReference = newErrorReference();
    log.error({ ref: errorReference, job: id }, 'gave up on a workflow step');
    const { function_execution_id: executionId } = data.event;
    await jobs.add({
      kind: SLACK_JOBS.stepFailed,
      workspaceId,
      identity: `${SLACK_JOBS.stepFailed}/${workspaceId}/${executionId}`,
      payload: { executionId, errorReference },
    });
  }

  return { complete, fail, finish, onLimit, onFailed, onEventGivenUp };
}
