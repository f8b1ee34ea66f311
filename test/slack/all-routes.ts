import { createSubCommands } from '../../src/slack/command/registry.ts';
import { createRoutes } from '../../src/slack/listener/routes.ts';

const nothing: object = new Proxy(() => nothing, { get: () => nothing });

/** All routes, with nothing behind them. */
export const ALL_ROUTES = createRoutes(nothing as Parameters<typeof createRoutes>[0]);

export const SUB_COMMANDS = createSubCommands(nothing as Parameters<typeof createSubCommands>[0]);
