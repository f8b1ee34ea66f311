import { z } from 'zod';
import { RetryLaterError } from '../../jobs/retry-later.ts';
import type { Log } from '../../ops/logging.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import { searchStepOptions } from '../request-form/options.ts';
import { type AccessControl, actorNamed } from '../surface/access.ts';
import {
  type EventArgs,
  inTime,
  isComposer,
  type LinkSharedArgs,
  reportUnexpected,
  type StepArgs,
  withClient,
} from '../surface/replies.ts';
import { wordsForDenied, wordsForServiceError } from '../words/errors.ts';
import { STEP_OPTIONS_PROBLEMS, STEP_PROBLEMS } from '../words/workflow-step.ts';
import type { StepRuns } from '../workflow-step/finish-step.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

export type EventDeps = {
  routes: readonly Route[];
  access: AccessControl;
  steps: StepRuns;
  log: Log;
};

/** Handles events, which the intake has stored. */
export function eventListener(deps: EventDeps) {
  const routes = routesOf(deps.routes, 'links', 'opened', 'event');
  return async (args: EventArgs): Promise<void> => {
    const { type: id } = args.event;
    // `functionListener` handles it.
    if (id === 'function_executed') return;
    const route = routes.get(id);
    switch (route?.kind) {
      case 'links':
        return showLinks(deps, route, withClient(args as LinkSharedArgs));
      case 'opened':
        return route.run(withClient(args));
      // Without a client, because the app may be gone from the workspace.
      case 'event':
        return route.run(args.body);
      case undefined:
        deps.log.warn({ id }, 'nothing handles an event');
    }
  };
}

/**
 * Links in messages: they are ignored if the person who posted them has no access. Links in the composer get one
 * attempt: by the time of a retry, the message has been posted or discarded.
 */
async function showLinks(
  deps: EventDeps,
  { access, run }: RouteOf<'links'>,
  args: LinkSharedArgs,
): Promise<void> {
  const { user } = args.event;
  // Some webhooks post without a user, so there is nobody to check.
  if (!user) return;
  try {
    const checked = await deps.access.check(actorNamed(args, user), access);
    if ('user' in checked) await run(args, checked.user);
  } catch (error) {
    if (!isComposer(args)) throw error;
    // Both are expected, and neither is about this link.
    if (error instanceof NotConnectedError || error instanceof RetryLaterError) return;
    deps.log.warn({ err: error }, 'could not preview a card link in the composer');
  }
}

const requester = z.object({ requested_by: z.string().min(1).max(255) });
/** `builder` is Slack's user context of whoever edits the workflow. */
const search = z.object({
  builder: z.object({ id: z.string().min(1).max(255) }),
  query: z.string().optional().catch(undefined),
});

const runOf = ({ client, event }: StepArgs) => ({
  client,
  executionId: event.function_execution_id,
});

/** Runs steps of workflows, and lists the options of their menus. */
export function functionListener(deps: EventDeps) {
  const routes = routesOf(deps.routes, 'step', 'step-options');
  return async (args: StepArgs): Promise<void> => {
    const { callback_id: id } = args.event.function;
    const route = routes.get(id);
    if (route?.kind === 'step') return runStep(deps, route, args);
    if (route) await answerSearch(deps, route, args);
    else {
      const error = new Error(`nothing handles the function ${id}`);
      await deps.steps.fail(runOf(args), reportUnexpected(deps.log, error, 'a function failed'));
    }
    await args.ack();
  };
}

/**
 * Runs a step for a person. Slack doesn't say who runs a workflow, and perhaps nobody does (a schedule, a webhook), so
 * the person is an input: whoever builds the workflow chooses them.
 */
async function runStep(
  deps: EventDeps,
  { access, run }: RouteOf<'step'>,
  args: StepArgs,
): Promise<void> {
  await args.ack();
  const named = requester.safeParse(args.event.inputs).data;
  if (!named) return deps.steps.fail(runOf(args), STEP_PROBLEMS.noRequester);
  const checked = await deps.access.check(actorNamed(args, named.requested_by), access);
  if ('denied' in checked) return deps.steps.fail(runOf(args), wordsForDenied(checked.denied));
  if (checked.user.person.isBot) {
    return deps.steps.fail(runOf(args), STEP_PROBLEMS.requesterIsApp);
  }
  await run(args, checked.user);
}

/**
 * The options of a menu in Workflow Builder, for the person who edits the workflow. Slack wants them before the
 * acknowledgment. If they take too long to load, the answer says so, and they are in memory the next time.
 */
async function answerSearch(
  deps: EventDeps,
  { access, run }: RouteOf<'step-options'>,
  args: StepArgs,
): Promise<void> {
  const { builder, query = '' } = search.safeParse(args.event.inputs).data ?? {};
  /** The choices, or why there are none. */
  const list = async () => {
    if (!builder) return STEP_OPTIONS_PROBLEMS.noBuilder;
    const checked = await deps.access.check(actorNamed(args, builder.id), access);
    return 'user' in checked ? run(args, checked.user) : wordsForDenied(checked.denied);
  };
  const listed = list().catch((error: unknown) => wordsFor(deps, error));
  const found = await inTime(listed, STEP_OPTIONS_PROBLEMS.late);
  if (typeof found === 'string') return deps.steps.fail(runOf(args), found);
  await deps.steps.complete(runOf(args), { options: searchStepOptions(found, query) });
}

function wordsFor({ log }: EventDeps, error: unknown): string {
  try {
    return wordsForServiceError(error);
  } catch {
    return reportUnexpected(log, error, 'could not list the options of a workflow step', {
      words: STEP_OPTIONS_PROBLEMS.unexpected,
    });
  }
}
