import type { Delivery, DeliveryKind } from '../dispatch/delivery.ts';
import type { EventSender } from '../events.ts';
import type { JsonObject } from '../json.ts';
import type { User } from '../state/model.ts';
import type { WorkspaceRecord } from '../state/state.ts';

export interface Actor extends EventSender {
  /** How long Slack takes to apply a view from an acknowledgment, in milliseconds. */
  ackUpdateDelayMs: number;
  workspace: WorkspaceRecord;
  user: User;
}

export type Told = ReturnType<typeof told>;

export function told(delivery: Delivery) {
  const { status, body = '', ms = 0 } = delivery.attempts.at(-1) ?? {};
  const { acknowledged } = delivery;
  return {
    /** The app answered with 2xx in time. */
    acknowledged,
    status,
    body,
    /** Real milliseconds. */
    ms,
    delivery,
  };
}

/** Notifies the app of an interaction. Shape: Bolt's action and view types. */
export function interact(actor: Actor, type: DeliveryKind, fields: JsonObject): Promise<Delivery> {
  const { dispatcher, workspace } = actor;
  return dispatcher.once(type, workspace.id, { type, ...interactionHead(actor), ...fields });
}

export function interactionHead({
  state,
  workspace,
  user,
}: Pick<Actor, 'state' | 'workspace' | 'user'>): JsonObject {
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
          ...(enterprise ? { enterprise_id: enterprise.id } : {}),
        },
    user: { id: user.id, username: user.name, name: user.name, team_id: user.teamId },
    api_app_id: state.app.id,
    token: state.app.verificationToken,
    enterprise,
    is_enterprise_install: orgWideInstall,
  };
}
