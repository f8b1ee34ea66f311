import type { Delivery } from '../dispatch/delivery.ts';
import type { Dispatcher } from '../dispatch/dispatcher.ts';
import type { JsonObject } from '../json.ts';
import type { User } from '../state/model.ts';
import type { SlackState, WorkspaceRecord } from '../state/state.ts';

/** Adjustable timing of Slack itself. */
export interface Timing {
  /** How long Slack takes to apply a view from an acknowledgment, in milliseconds. */
  ackUpdateDelayMs: number;
}

/** A person using Slack, with one workspace's installation. */
export interface Actor {
  state: SlackState;
  dispatcher: Dispatcher;
  timing: Timing;
  workspace: WorkspaceRecord;
  user: User;
}

/** The result of a delivery to the app. */
export interface Told {
  /** The app answered with 2xx in time. */
  acknowledged: boolean;
  status: number | undefined;
  body: string;
  /** Real milliseconds. */
  ms: number;
  delivery: Delivery;
}

/** Summarizes a delivery with one attempt. */
export function told(delivery: Delivery): Told {
  const attempt = delivery.attempts.at(-1);
  return {
    acknowledged: delivery.acknowledged,
    status: attempt?.status,
    body: attempt?.body ?? '',
    ms: attempt?.ms ?? 0,
    delivery,
  };
}

/** The first fields of every interaction's payload. Shape: Bolt's action and view types. */
export function interactionHead(
  state: SlackState,
  workspace: WorkspaceRecord,
  user: User,
): JsonObject {
  const { enterpriseId, orgWideInstall } = workspace;
  const enterprise = enterpriseId
    ? { id: enterpriseId, name: `${enterpriseId} organization` }
    : null;
  return {
    team: orgWideInstall
      ? null
      : {
          id: workspace.id,
          domain: workspace.domain,
          ...(enterprise ? { enterprise_id: enterprise.id, enterprise_name: enterprise.name } : {}),
        },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: state.app.id,
    token: state.app.verificationToken,
    enterprise,
    is_enterprise_install: orgWideInstall,
  };
}
