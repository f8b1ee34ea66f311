import type { ServerResponse } from 'node:http';
import type { Stage } from '../stage.ts';
import { doWorkspaceAct, type OfferedOptions } from './acts/do-workspace-act.ts';
import { personAtTheirSlack } from './acts/person-at-their-slack.ts';
import { createLive } from './http/live.ts';
import { Refused } from './http/messages.ts';
import { type ActAnswer, workspaceRequest } from './protocol/acts.ts';
import { workspaceSnapshot } from './snapshots/workspace-snapshot.ts';

/** What the pages can see and do, whatever they are served by. */
export type Desk = {
  act(page: string, request: unknown): Promise<ActAnswer>;
  follow(page: string, query: URLSearchParams, response: ServerResponse): void;
  read(what: string, query: URLSearchParams): unknown;
  close(): void;
};

export function openDesk(stage: Stage): Desk {
  const { slack, service } = stage;
  const live = createLive();
  const offered: OfferedOptions = new Map();
  const stopFollowing = [slack.onChange(live.changed), service.onChange(live.changed)];

  return {
    async act(page, request) {
      if (page !== 'workspace') throw new Refused(404, 'There is no such page.');
      const { as, act } = workspaceRequest.parse(request);
      const person = personAtTheirSlack(slack, as);
      const result = await doWorkspaceAct({ state: slack.state, offered }, person, act);
      return { revision: live.changed(), result };
    },
    follow(page, query, response) {
      if (page !== 'workspace') throw new Refused(404, 'There is no such page.');
      const userId = query.get('as') ?? stage.ann.id;
      if (!slack.state.users.has(userId)) throw new Refused(404, 'Nobody has this id.');
      live.follow(response, () => workspaceSnapshot(slack.state, userId));
    },
    read() {
      throw new Refused(404, 'There is nothing to read here.');
    },
    close() {
      for (const stop of stopFollowing) stop();
      live.close();
    },
  };
}
