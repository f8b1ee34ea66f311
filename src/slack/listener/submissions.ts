import type { Log } from '../../ops/logging.ts';
import { type AccessControl, actorOf } from '../surface/access.ts';
import { type IsFirstDelivery, reportUnexpected } from '../surface/delivery.ts';
import { buildNotice } from '../surface/modal.ts';
import { type ClosedViewArgs, refuseSubmission, type ViewArgs } from '../surface/replies.ts';
import type { Outcomes } from '../surface/update-view.ts';
import { wordsForDenied } from '../words/errors.ts';
import { type Route, type RouteOf, routesOf } from './routes.ts';

type Deps = {
  routes: readonly Route[];
  access: AccessControl;
  isFirstDelivery: IsFirstDelivery;
  outcomes: Outcomes;
  log: Log;
};

/**
 * Handles submitted modals. Before the acknowledgment there is no time to ask Slack, so whoever is known to be denied is
 * refused, and keeps the modal with everything they typed.
 */
export function submissionListener(deps: Deps) {
  const routes = routesOf(deps.routes, 'submission', 'stored-submission');
  return async (args: ViewArgs): Promise<void> => {
    const { callback_id: id } = args.view;
    const route = routes.get(id);
    if (!route) {
      const error = new Error(`nothing handles the submission ${id}`);
      return refuseSubmission(args, reportUnexpected(deps.log, error, 'a submission failed'));
    }
    const actor = actorOf(args);
    // If the database is down, let them through: the handler fails too, and reports it.
    const cached = await deps.access.checkCached(actor, route.access, 'any').catch(() => undefined);
    if (cached && 'denied' in cached) {
      await refuseSubmission(args, wordsForDenied(cached.denied));
      // Refreshes the cached answer: if they have access by now, the next attempt works.
      await deps.access.check(actor, route.access);
    } else if (route.kind === 'stored-submission') {
      await route.run(args);
    } else await submit(deps, route, args);
  };
}

/** A submission that takes effect after the acknowledgment, once Slack has confirmed who submitted it. */
async function submit(deps: Deps, route: RouteOf<'submission'>, args: ViewArgs): Promise<void> {
  const { view, client, ack } = args;
  const submission = await route.run(args);
  if ('problems' in submission) {
    return ack({ response_action: 'errors', errors: submission.problems });
  }
  const { title, busy, apply } = submission;
  const notice = (text: string) => buildNotice({ title, text });
  const draw = deps.outcomes.of(view.id);
  await ack({ response_action: 'update', view: notice(busy) });

  const finish = async () => {
    if (!(await deps.isFirstDelivery(args))) return undefined;
    const actor = actorOf(args);
    const checked = await deps.access.check(actor, route.access);
    if ('user' in checked) return apply(checked.user);
    return notice(await deps.access.explainDenied(actor, checked.denied));
  };
  const outcome = await finish().catch((error: unknown) =>
    notice(reportUnexpected(deps.log, error, 'a submission failed', { context: { title } })),
  );
  if (outcome) await draw(client, outcome);
}

export function closedListener(deps: Pick<Deps, 'routes' | 'log'>) {
  const routes = routesOf(deps.routes, 'closed');
  return async (args: ClosedViewArgs): Promise<void> => {
    await args.ack();
    const { callback_id: id } = args.view;
    const route = routes.get(id);
    if (route) await route.run(args);
    else deps.log.warn({ id }, 'nothing handles a modal that was closed');
  };
}
