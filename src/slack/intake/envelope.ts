import { z } from 'zod';
import { isSynchronous } from '../workflow-step/ids.ts';
import { type Tenant, tenantOf } from '../workspaces/tenant.ts';

/** What a delivery is, read before Bolt handles it. */
export type Envelope =
  | { kind: 'event'; eventId: string; tenant: Tenant }
  /** A function that has to be completed before it is acknowledged. */
  | { kind: 'options'; identity: string; tenant: Tenant }
  | { kind: 'interaction'; identity: string | undefined }
  | { kind: 'url_verification'; challenge: string }
  | { kind: 'ssl_check' }
  | { kind: 'unknown' };

const UNKNOWN: Envelope = { kind: 'unknown' };

/** @param identity of one user action, so that a repeated delivery of it is recognized */
const interactionOf = (type: string, identity: string | undefined): Envelope => ({
  kind: 'interaction',
  identity: identity && `${type}/${identity}`,
});

const discriminator = z.object({ type: z.string().optional(), command: z.string().optional() });
const id = z.string().min(1).max(255);

const event = z.object({
  type: z.literal('event_callback'),
  event_id: id,
  event: z.object({ type: z.string() }),
  team_id: id.nullish(),
  context_team_id: id.nullish(),
  enterprise_id: id.nullish(),
  authorizations: z.array(z.object({ team_id: id.nullish() })).nullish(),
});
/** A step of a workflow. Bolt relies on the callback ID. */
const functionExecuted = z.object({
  event: z.object({
    type: z.literal('function_executed'),
    function: z.object({ callback_id: z.string() }),
    function_execution_id: z.string().regex(/^\w{1,40}$/),
    inputs: z.record(z.string(), z.unknown()),
  }),
});
const urlVerification = z
  .object({ type: z.literal('url_verification'), challenge: z.string() })
  .transform(({ challenge }): Envelope => ({ kind: 'url_verification', challenge }));
const sslCheck = z
  .object({ ssl_check: z.union([z.literal('1'), z.literal(1)]) })
  .transform((): Envelope => ({ kind: 'ssl_check' }));
const command = z
  .object({
    command: z.string().startsWith('/'),
    trigger_id: id,
    user_id: id,
    team_id: id,
    channel_id: id,
    text: z.string().optional(),
  })
  .transform(({ trigger_id }) => interactionOf('command', trigger_id));
const person = z.object({ id });
const interaction = z.union([
  z
    .object({
      type: z.literal('block_actions'),
      user: person,
      trigger_id: id.optional(),
      actions: z.array(z.object({ action_id: z.string(), action_ts: id.optional() })).min(1),
    })
    .transform(({ type, user, trigger_id, actions }) => {
      const timestamp = actions[0]?.action_ts;
      return interactionOf(type, trigger_id ?? (timestamp && `${user.id}/${timestamp}`));
    }),
  z
    .object({
      type: z.enum(['view_submission', 'view_closed']),
      user: person,
      trigger_id: id.optional(),
      view: z.object({ id, hash: id.optional() }),
    })
    .transform(({ type, trigger_id, view }) =>
      interactionOf(type, trigger_id ?? (view.hash && `${view.id}/${view.hash}`)),
    ),
  z
    .object({ type: z.enum(['shortcut', 'message_action']), user: person, trigger_id: id })
    .transform(({ type, trigger_id }) => interactionOf(type, trigger_id)),
  // Searching a menu changes nothing.
  z
    .object({ type: z.literal('block_suggestion'), user: person, action_id: z.string() })
    .transform(({ type }) => interactionOf(type, undefined)),
]);

/** Classifies a signed body of any shape; never throws. */
export function readEnvelope(body: unknown): Envelope {
  // Parse only the schema that matches: a failed parse costs more than a successful one.
  const kind = discriminator.safeParse(body).data;
  if (kind?.type === 'event_callback') return readEvent(body);
  return schemaFor(kind).safeParse(body).data ?? UNKNOWN;
}

function schemaFor(kind: z.infer<typeof discriminator> | undefined) {
  if (kind?.type === 'url_verification') return urlVerification;
  if (kind?.type !== undefined) return interaction;
  return kind?.command === undefined ? sslCheck : command;
}

function readEvent(body: unknown): Envelope {
  const { data } = event.safeParse(body);
  if (!data) return UNKNOWN;
  const tenant = tenantOf(body);
  const hasNoTenant = tenant.workspaceId === undefined && tenant.organizationId === undefined;
  if (hasNoTenant) return UNKNOWN;
  const { event_id: eventId } = data;
  if (data.event.type !== 'function_executed') return { kind: 'event', eventId, tenant };
  const step = functionExecuted.safeParse(body).data?.event;
  if (!step) return UNKNOWN;
  return isSynchronous(step.function.callback_id)
    ? { kind: 'options', identity: `options/${eventId}`, tenant }
    : { kind: 'event', eventId, tenant };
}
