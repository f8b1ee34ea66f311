import { createSubCommands } from '../../src/slack/command/command.ts';
import { createListCommands } from '../../src/slack/command/reference-lists.ts';
import { createList, createStatus } from '../../src/slack/command/requests.ts';
import { createRoutes } from '../../src/slack/listener/routes.ts';

const nothing: object = new Proxy(() => nothing, { get: () => nothing });

/** All routes, with nothing behind them. */
export const ALL_ROUTES = createRoutes(nothing as Parameters<typeof createRoutes>[0]);

export const SUB_COMMANDS = createSubCommands({
  ...(nothing as Parameters<typeof createSubCommands>[0]),
  status: createStatus(nothing as Parameters<typeof createStatus>[0]),
  list: createList(nothing as Parameters<typeof createList>[0]),
  lists: createListCommands(nothing as Parameters<typeof createListCommands>[0]),
});
