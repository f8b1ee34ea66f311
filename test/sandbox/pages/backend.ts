import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Slack } from '../../stand-ins/slack/server.ts';
import { addFile } from '../../stand-ins/slack/state/files.ts';
import type { Stage } from '../stage.ts';
import { DASHBOARD_ACTS } from './acts/dashboard-acts.ts';
import { readAct } from './acts/table.ts';
import {
  type ActAnswer,
  type ActResult,
  type OfferedOptions,
  WORKSPACE_ACTS,
} from './acts/workspace-acts.ts';
import { appAct } from './frame.ts';
import { createLive } from './http/live.ts';
import { Refused } from './http/messages.ts';
import { createRecorder } from './record/recorder.ts';
import { createFaultsPanel } from './service/faults-panel.ts';
import { createKeys } from './service/keys.ts';
import { dashboardSnapshot } from './snapshots/dashboard-snapshot.ts';
import { logDetail, logSnapshot } from './snapshots/log-snapshot.ts';
import { workspaceSnapshot } from './snapshots/workspace-snapshot.ts';
import { createAppControl, createTour } from './tour.ts';

const workspaceRequest = z.object({
  as: z.string().max(200),
  act: z.looseObject({ do: z.string() }),
});

/** What the pages can see and do, independent of HTTP. */
export type Backend = ReturnType<typeof openBackend>;

export function openBackend(stage: Stage) {
  const { slack, service, acme, cardUrl } = stage;
  const { state } = slack;
  const live = createLive(() => ({ app: app.state(), tour: tour.shown() }));
  const app = createAppControl(live.changed);
  const recorder = createRecorder({ slack, service });
  const faults = createFaultsPanel(service);
  const keys = createKeys(service, [
    { owner: acme.name, account: 'account-1', key: service.apiKey },
    { owner: 'Globex', account: 'account-2' },
  ]);
  const tour = createTour({ stage, faults, keys, app });
  const offered: OfferedOptions = new Map();
  const stop = [slack.onChange(live.changed), service.onChange(live.changed)];

  const acts: Record<string, (request: unknown) => Promise<ActResult | undefined>> = {
    async workspace(request) {
      const { as, act } = workspaceRequest.parse(request);
      const perform = readAct(WORKSPACE_ACTS, act);
      tour.acts(act.do);
      return perform({ state, offered, person: personAtTheirSlack(slack, as) });
    },
    async dashboard(request) {
      readAct(DASHBOARD_ACTS, request)({ service, keys, faults });
    },
    async app(request) {
      const { do: what } = appAct.parse(request);
      app[what]();
      if (what === 'resume') tour.resumes();
    },
  };

  const views: Record<string, (query: URLSearchParams) => () => unknown> = {
    workspace(query) {
      // A URL from an earlier sandbox may name a person who no longer exists.
      const { id } = state.users.get(query.get('as') ?? '') ?? stage.ann;
      return () => workspaceSnapshot(state, id);
    },
    dashboard(query) {
      const cardId = query.get('card') ?? undefined;
      return () => dashboardSnapshot({ service, state, recorder, keys, faults, cardUrl }, cardId);
    },
    log: () => () => logSnapshot(recorder.exchanges(), state),
  };

  return {
    app,
    /** Throws Refused if it can't be done. */
    async act(page: string, request: unknown): Promise<ActAnswer> {
      const perform = Object.hasOwn(acts, page) ? acts[page] : undefined;
      if (!perform) throw new Refused(404, 'Page not found.');
      try {
        const result = (await perform(request)) ?? {};
        return { revision: live.changed(), result };
      } catch (error) {
        return { revision: live.changed(), problem: problemOf(error) };
      }
    },
    /** A person uploads a file while filling in a form. Throws Refused. */
    upload(query: URLSearchParams, content: Uint8Array) {
      const user = state.users.get(query.get('as') ?? '');
      const name = query.get('name');
      if (!user || !name) throw new Refused(400, 'Who uploads what?');
      const owner = { workspaceId: user.teamId, userId: user.id };
      const mimetype = query.get('type') || 'application/octet-stream';
      return { id: addFile(state, owner, { name, mimetype, content }).id };
    },
    follow(page: string, query: URLSearchParams, response: ServerResponse) {
      const view = Object.hasOwn(views, page) ? views[page] : undefined;
      if (!view) throw new Refused(404, 'Page not found.');
      live.follow(response, view(query));
    },
    logDetail(seq: number) {
      const exchange = recorder.find(seq);
      if (!exchange) throw new Refused(404, 'This exchange is no longer available.');
      return logDetail(exchange);
    },
    close() {
      for (const end of stop) end();
      recorder.close();
      live.close();
    },
  };
}

/** What people try may be impossible, which isn't an error of the page: it shows the reason. */
function problemOf(error: unknown): string {
  if (error instanceof Refused) throw error;
  if (error instanceof z.ZodError) throw new Refused(400, z.prettifyError(error));
  return error instanceof Error ? error.message : String(error);
}

function personAtTheirSlack(slack: Slack, userId: string): Person {
  const user = slack.state.users.get(userId);
  if (!user || user.isBot) throw new Refused(404, 'No person has this ID.');
  return slack.personAt(user);
}
