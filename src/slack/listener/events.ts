import { RetryLaterError } from '../../jobs/retry-later.ts';
import { NotConnectedError } from '../../service/service-access.ts';
import type { SlackDeps } from '../deps.ts';
import { type RouteOf, routesOf } from '../routes.ts';
import { checkAccess } from './access.ts';
import {
  type EventArgs,
  isComposer,
  type LinkSharedArgs,
  withClient,
  workspaceOf,
} from './replies.ts';

/** Handles events, which are stored before. */
export function eventListener(deps: SlackDeps) {
  const routes = routesOf('opened', 'event');
  return async (args: EventArgs): Promise<void> => {
    const { type: id } = args.event;
    const route = routes.get(id);
    if (route?.kind === 'opened') await route.run(deps, withClient(args));
    // Without a client, because the app may be gone from the workspace.
    else if (route) await route.run(deps, args.body);
    else deps.log.warn({ id }, 'nothing handles an event');
  };
}

/**
 * Handles links in messages: they are ignored if the person who posted them has no access. Links in the composer get one
 * attempt: by the time of a retry, the message has been posted or discarded.
 */
export function linksListener(deps: SlackDeps) {
  const routes = routesOf('links');
  return async (args: LinkSharedArgs): Promise<void> => {
    try {
      await showLinks(deps, routes.get(args.event.type), args);
    } catch (error) {
      if (!isComposer(args)) throw error;
      // Both are expected, and neither is about this link.
      if (error instanceof NotConnectedError || error instanceof RetryLaterError) return;
      deps.log.warn({ err: error }, 'could not preview a card link in the composer');
    }
  };
}

async function showLinks(
  deps: SlackDeps,
  route: RouteOf<'links'> | undefined,
  args: LinkSharedArgs,
): Promise<void> {
  const { client, context, event } = args;
  // Some webhooks post without a user, so there is nobody to check.
  if (!route || !event.user) return;
  const actor = { client, workspaceId: workspaceOf(context), userId: event.user };
  const checked = await checkAccess(deps, actor, route.access);
  if ('user' in checked) await route.run(deps, args, checked.user);
}
