import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import type { DesignService } from '../../stand-ins/design-service/server.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Slack } from '../../stand-ins/slack/server.ts';
import { addFile } from '../../stand-ins/slack/state/files.ts';
import type { Stage } from '../stage.ts';
import { doWorkspaceAct, type OfferedOptions } from './acts/do-workspace-act.ts';
import { createLive } from './http/live.ts';
import { Refused } from './http/messages.ts';
import {
  type ActAnswer,
  type ActResult,
  type Uploaded,
  workspaceRequest,
} from './protocol/acts.ts';
import { type DashboardAct, dashboardAct } from './protocol/dashboard.ts';
import { appAct } from './protocol/frame.ts';
import { createRecorder } from './record/recorder.ts';
import { createFaultsPanel, type FaultsPanel } from './service/faults-panel.ts';
import { createKeys, type Keys } from './service/keys.ts';
import { dashboardSnapshot } from './snapshots/dashboard-snapshot.ts';
import { logDetail, logSnapshot } from './snapshots/log-snapshot.ts';
import { workspaceSnapshot } from './snapshots/workspace-snapshot.ts';
import { createAppControl, createTour } from './tour.ts';

/** What the pages can see and do, independent of HTTP. */
export type Backend = ReturnType<typeof openBackend>;

/** The service's accounts of the two companies (see `populate`). */
const CUSTOMERS = { acme: 'account-1', globex: 'account-2' } as const;

export function openBackend(stage: Stage) {
  const { slack, service, acme, cardUrl } = stage;
  const { state } = slack;
  const live = createLive(() => ({ app: app.state(), tour: tour.shown() }));
  const app = createAppControl(live.changed);
  const recorder = createRecorder({ slack, service });
  const faults = createFaultsPanel(service);
  const keys = createKeys(service, [
    { owner: acme.name, account: CUSTOMERS.acme, key: service.apiKey },
    { owner: 'Globex', account: CUSTOMERS.globex },
  ]);
  const tour = createTour({ stage, faults, keys, app });
  const offered: OfferedOptions = new Map();
  const stop = [slack.onChange(live.changed), service.onChange(live.changed)];

  const acts: Record<string, (request: unknown) => Promise<ActResult>> = {
    async workspace(request) {
      const { as, act } = workspaceRequest.parse(request);
      tour.acts(act);
      return doWorkspaceAct({ state, offered }, personAtTheirSlack(slack, as), act);
    },
    async dashboard(request) {
      doDashboardAct({ service, keys, faults }, dashboardAct.parse(request));
      return {};
    },
    async app(request) {
      const { do: what } = appAct.parse(request);
      app[what]();
      if (what === 'resume') tour.resumes();
      return {};
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
        const result = await perform(request);
        return { revision: live.changed(), result };
      } catch (error) {
        return { revision: live.changed(), problem: problemOf(error) };
      }
    },
    /** A person uploads a file while filling in a form. Throws Refused. */
    upload(query: URLSearchParams, content: Uint8Array): Uploaded {
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
    read(what: string, query: URLSearchParams) {
      const exchange = what === 'log' ? recorder.find(Number(query.get('seq'))) : undefined;
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

/** The person with that ID, in their own workspace. */
function personAtTheirSlack(slack: Slack, userId: string): Person {
  const user = slack.state.users.get(userId);
  if (!user || user.isBot) throw new Refused(404, 'No person has this ID.');
  return slack.personAt(user);
}

/**
 * Does what a member of the service does in the dashboard.
 *
 * @throws Error with a message for the page if it can't be done
 */
function doDashboardAct(
  { service, keys, faults }: { service: DesignService; keys: Keys; faults: FaultsPanel },
  act: DashboardAct,
): void {
  const { cards } = service;
  switch (act.do) {
    case 'set-status': {
      const status = Object.values(STATUSES).find(({ id }) => id === act.statusId);
      if (!status) throw new Error('The service has no such status.');
      cards.update(act.cardId, { status });
      return;
    }
    case 'add-file':
      cards.addFile(act.cardId, { name: act.name });
      return;
    case 'edit': {
      const { cardId, do: _do, descriptionHtml: description, dueDate, ...texts } = act;
      const due = dueDate === '' ? null : new Date(`${dueDate}T12:00:00Z`);
      cards.update(cardId, { ...texts, description, dueDate: due });
      return;
    }
    case 'revoke-key':
      keys.revoke(act.owner);
      return;
    case 'new-key':
      keys.renew(act.owner);
      return;
    case 'limit-key':
      keys.limit(act.owner, act.perMinute);
      return;
    case 'add-fault':
      faults.add(act.name, act.once);
      return;
    case 'remove-fault':
      faults.remove(act.id);
      return;
  }
}
