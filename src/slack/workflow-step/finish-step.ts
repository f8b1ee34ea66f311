import type { DesignRequest } from '../../requests/request.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import type { SlackDeps } from '../deps.ts';
import { buttonsFor, cardUrlOf } from '../request-form/outcome.ts';
import { wordsForProblem } from '../words/errors.ts';
import { stepEnded } from '../words/workflow-step.ts';
import { executionOf, stepLimitJob } from './step-request.ts';

type LogDeps = Pick<SlackDeps, 'log'>;

/** A run of a function that Slack waits for. */
export type StepRun = { client: SlackClient; executionId: string };

/** Ends a run with its outputs, which manifest.yml lists. */
export const completeStep = (
  deps: LogDeps,
  { client, executionId }: StepRun,
  outputs: Record<string, unknown>,
): Promise<void> =>
  untilEnded(deps, () =>
    client.functions.completeSuccess({ function_execution_id: executionId, outputs }),
  );

/**
 * Ends a run with the sentence that Slack shows.
 *
 * @param error may mark code as in messages; here, Slack would show the marks
 */
export const failStep = (
  deps: LogDeps,
  { client, executionId }: StepRun,
  error: string,
): Promise<void> =>
  untilEnded(deps, () =>
    client.functions.completeError({
      function_execution_id: executionId,
      error: error.replaceAll('`', ''),
    }),
  );

/**
 * Slack refuses a run that has ended, which happens when an attempt is repeated after its answer was
 * lost, or when someone has cancelled the workflow.
 *
 * @throws Slack's error if it may work later
 */
async function untilEnded({ log }: LogDeps, call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (outcomeOfCall(error) !== 'refused') throw error;
    log.info({ code: slackErrorCode(error) }, 'Slack refused the result of a workflow step');
  }
}

/**
 * Ends the run that a request comes from, once its outcome is final. Until then, the workflow waits, for seven days:
 * a request that waits for a key is still sent, and its author may answer a question or fix it.
 *
 * @throws Slack's error if it may work later
 */
export async function finishStep(
  deps: Pick<SlackDeps, 'jobs' | 'log' | 'cardLinks'>,
  client: SlackClient,
  request: DesignRequest,
): Promise<void> {
  const executionId = executionOf(request);
  if (executionId === undefined) return;
  const { cardLinks } = deps;
  const { state, cardId, reference, problem } = request;
  const run = { client, executionId };
  if (state === 'created') {
    return completeStep(deps, run, {
      ...(cardId === undefined ? {} : { card_id: cardId }),
      card_link: cardUrlOf(cardLinks, request) ?? cardLinks.dashboardUrl,
      reference,
    });
  }
  const canBeFixed = buttonsFor(request, cardLinks.dashboardUrl).length > 0;
  const isFinal = state === 'discarded' || (state === 'rejected' && !canBeFixed);
  if (!isFinal) {
    await deps.jobs.add(stepLimitJob(request));
    return;
  }
  const why = problem ? wordsForProblem(problem, { reference }) : '';
  await failStep(deps, run, stepEnded(request, why));
}
