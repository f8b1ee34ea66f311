import { createRoutes } from '../../src/slack/routes.ts';

const nothing: object = new Proxy(() => nothing, { get: () => nothing });

/** All routes, with nothing behind them. */
export const ALL_ROUTES = createRoutes(nothing as Parameters<typeof createRoutes>[0]);
