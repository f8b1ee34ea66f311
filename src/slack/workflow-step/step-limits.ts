import { z } from 'zod';
import type { JobHandler } from '../../jobs/job-attempts.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { Log } from '../../ops/logging.ts';
import { newErrorReference } from '../../references.ts';
import type { ClaimedJob } from '../../store/jobs.ts';
import type { SlackClients } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { SLACK_JOBS } from '../jobs.ts';
import { STEP_PROBLEMS, stepTimedOut } from '../words/workflow-step.ts';
import { failStep } from './finish-step.ts';
import { CREATE_STEP } from './ids.ts';
import { executionOf, requestIdOf } from './step-request.ts';

const limitPayload = z.object({ requestId: z.string() });
const failedPayload = z.object({ executionId: z.string(), errorReference: z.string() });

type EndDeps = Pick<SlackDeps, 'requests' | 'log'> & { clients: SlackClients };

/** The request stays as it is: its author may still send it. */
export function stepLimitHandler(deps: EndDeps): JobHandler {
  return async ({ workspaceId, payload }) => {
    const { requestId } = limitPayload.parse(payload);
    const request = await deps.requests.get(workspaceId, requestId);
    const executionId = request && executionOf(request);
    // Both ended the run when they were announced.
    if (!executionId || request.state === 'created' || request.state === 'discarded') return 'done';
    const client = await deps.clients.of(workspaceId);
    await failStep(deps, { client, executionId }, stepTimedOut(request));
    return 'done';
  };
}

export function stepFailedHandler(deps: EndDeps): JobHandler {
  return async ({ workspaceId, payload }) => {
    const { executionId, errorReference } = failedPayload.parse(payload);
    // One that exists ends its run itself.
    if (await deps.requests.get(workspaceId, requestIdOf(workspaceId, executionId))) return 'done';
    const client = await deps.clients.of(workspaceId);
    await failStep(deps, { client, executionId }, STEP_PROBLEMS.unexpected(errorReference));
    return 'done';
  };
}

const stepEvent = z.object({
  event: z.object({
    type: z.literal('function_executed'),
    function: z.object({ callback_id: z.literal(CREATE_STEP) }),
    function_execution_id: z.string(),
  }),
});

/** Called when an event has failed for good: if it ran the step, its workflow must not wait for ever. */
export function givenUpStep({ jobs, log }: { jobs: JobQueue; log: Log }) {
  return async ({ id, workspaceId, payload }: ClaimedJob): Promise<void> => {
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
  };
}
