import type { AllMiddlewareArgs, SlackEventMiddlewareArgs } from '@slack/bolt';
import { z } from 'zod';
import type { Log } from '../../ops/logging.ts';
import type { AccessControl } from '../interaction/access.ts';
import { actorIn, clientOf, inTime, reportUnexpected } from '../interaction/interactions.ts';
import { searchStepOptions } from '../request-form/options.ts';
import { wordsForDenied, wordsForServiceError } from '../words/errors.ts';
import { STEP_OPTIONS_PROBLEMS, STEP_PROBLEMS } from '../words/workflow-step.ts';
import type { WorkflowStep } from '../workflow-step/create-request.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

export type FunctionArgs = SlackEventMiddlewareArgs<'function_executed'> & AllMiddlewareArgs;

const requester = z.object({ requested_by: z.string().min(1).max(255) });
/** `builder` is Slack's user context of whoever edits the workflow. */
const search = z.object({
  builder: z.object({ id: z.string().min(1).max(255) }),
  query: z.string().optional().catch(undefined),
});

/** Runs steps of workflows, and lists the options of their menus. Bolt leaves their acknowledgment to the app. */
export function createFunctionListener(deps: {
  routes: readonly Route[];
  access: AccessControl;
  steps: Pick<WorkflowStep, 'complete' | 'fail'>;
  log: Log;
}) {
  const { access, steps, log } = deps;
  const routes = routesOf(deps.routes, 'step', 'step-options');

  /**
   * Runs a step for a person, or says why not. Slack doesn't say who runs a workflow, and perhaps nobody
   * does (a schedule, a webhook), so the person is an input: whoever builds the workflow chooses them.
   */
  async function runStep(route: RouteOf<'step'>, args: FunctionArgs): Promise<string | undefined> {
    const { body } = args;
    const named = requester.safeParse(body.event.inputs).data;
    if (!named) return STEP_PROBLEMS.noRequester;
    const step = { ...actorIn(args, named.requested_by), body };
    const checked = await access.check(step, route.access);
    if ('denied' in checked) return wordsForDenied(checked.denied);
    if (checked.user.person.isBot) return STEP_PROBLEMS.requesterIsApp;
    await route.run(checked.user);
    return undefined;
  }

  /**
   * The options of a menu in Workflow Builder, for the person who edits the workflow, or why there are none. If they
   * take too long to load, they are in memory the next time.
   */
  async function findOptions(route: RouteOf<'step-options'>, args: FunctionArgs) {
    const { body } = args;
    const { builder, query = '' } = search.safeParse(body.event.inputs).data ?? {};
    const list = async () => {
      if (!builder) return STEP_OPTIONS_PROBLEMS.noBuilder;
      const step = { ...actorIn(args, builder.id), body };
      const checked = await access.check(step, route.access);
      return 'user' in checked ? route.run(checked.user) : wordsForDenied(checked.denied);
    };
    const { late, unexpected: words } = STEP_OPTIONS_PROBLEMS;
    const what = 'could not list the options of a workflow step';
    const listed = list()
      .catch((error: unknown) => wordsForServiceError(error))
      .catch((error: unknown) => reportUnexpected(log, error, what, { words }));
    const found = await inTime(listed, late);
    return typeof found === 'string' ? found : searchStepOptions(found, query);
  }

  return async (args: FunctionArgs): Promise<void> => {
    const { event, ack } = args;
    const { callback_id: id } = event.function;
    const client = clientOf(args);
    const runId = event.function_execution_id;
    const route = routes.get(id);
    if (route?.kind === 'step') {
      await ack();
      const why = await runStep(route, args);
      return why === undefined ? undefined : steps.fail(client, runId, why);
    }
    // Slack wants options before the acknowledgment.
    const found = route
      ? await findOptions(route, args)
      : reportUnexpected(log, new Error(`nothing handles the function ${id}`), 'a function failed');
    if (typeof found === 'string') await steps.fail(client, runId, found);
    else await steps.complete(client, runId, { options: found });
    await ack();
  };
}
