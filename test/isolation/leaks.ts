import type { Slack } from '../stand-ins/slack/server.ts';
import { type MarkingService, marksIn } from './marking-service.ts';
import type { Tenant, Tenants } from './tenants.ts';

/** A card that only one payload mentioned, and the tenant whose key it may have been read with. */
export type Expectation = { cardId: string; by: Tenant | undefined };

type Told = { slack: Slack; service: MarkingService };

export function findLeaks(told: Told, tenants: Tenants, expectations: readonly Expectation[]) {
  const looks = [
    ...toldToWorkspaces(told, tenants),
    ...shownToGuests(tenants),
    ...askedOfTheService(told, tenants, expectations),
  ];
  return { looked: looks.length, found: looks.flat() };
}

/** A workspace may see only its own keys' cards and its own people's words. */
function toldToWorkspaces({ slack }: Told, { all }: Tenants): string[][] {
  const byId = new Map(all.map((tenant) => [tenant.workspace.id, tenant]));
  const told = [
    ...slack.apiCalls.map(({ method, workspaceId, args }) => [method, workspaceId, args] as const),
    ...slack.deliveries.flatMap(({ kind, workspaceId, attempts }) =>
      attempts.map(({ body }) => [`answer to ${kind}`, workspaceId, body] as const),
    ),
  ];
  return told.map(([what, workspaceId, value]) => {
    const tenant = byId.get(workspaceId ?? '');
    const text = JSON.stringify(value) ?? '';
    const marks = marksIn(value).filter((mark) => !tenant?.marks.includes(mark));
    const words = all.filter((one) => one !== tenant && text.includes(one.typed));
    const strange = [...marks, ...words.map(({ typed }) => typed)];
    return strange.map((one) => `${what} in ${tenant?.workspace.name ?? workspaceId}: ${one}`);
  });
}

/** Nobody has allowed people from another company to see cards. */
function shownToGuests({ shared }: Tenants): string[][] {
  return shared.flatMap(({ channel, by }) =>
    by.workspace
      .messages(channel)
      .map(({ botId, blocks, attachments }) =>
        marksIn([attachments, botId === undefined ? [] : blocks]).map(
          (mark) => `#${channel.name} of ${by.workspace.name}: ${mark}`,
        ),
      ),
  );
}

function askedOfTheService(
  { service }: Told,
  { all }: Tenants,
  expectations: readonly Expectation[],
): string[][] {
  return service.calls.map(({ mark, method, path, body }) => {
    const words = all.filter(({ marks, typed }) => !marks.includes(mark) && body.includes(typed));
    const expected = expectations.find(({ cardId }) => path.endsWith(`/${cardId}`));
    const isStrange = expected !== undefined && !expected.by?.marks.includes(mark);
    return [
      ...words.map(({ typed }) => `${method} with the key of ${mark}: ${typed}`),
      ...(isStrange ? [`${path} was read with ${mark}, not for ${expected.by?.typed}`] : []),
    ];
  });
}
