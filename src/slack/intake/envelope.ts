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

const discriminator = z.object({ type: z.string().optional(), command: z.string().optional() });
const id = z.string().min(1).max(255);

const event = z.object({
  type: z.literal('event_callback'),
  event_id: id,
  team_id: id.nullish(),
  context_team_id: id.nullish(),
  enterprise_id: id.nullish(),
  authorizations: z.array(z.object({ team_id: id.nullish() })).nullish(),
  event: z.object({ type: z.string() }),
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
const urlVerification = z.object({ type: z.literal('url_verification'), challenge: z.string() });
const sslCheck = z.object({ ssl_check: z.union([z.literal('1'), z.literal(1)]) });
const command = z.object({
  command: z.string().startsWith('/'),
  trigger_id: id,
  user_id: id,
  team_id: id,
  channel_id: id,
  text: z.string().optional(),
});
const person = z.object({ id });
const interaction = z.union([
  z.object({
    type: z.literal('block_actions'),
    user: person,
    trigger_id: id.optional(),
    actions: z.array(z.object({ action_id: z.string(), action_ts: id.optional() })).min(1),
  }),
  z.object({
    type: z.enum(['view_submission', 'view_closed']),
    user: person,
    trigger_id: id.optional(),
    view: z.object({ id, hash: id.optional() }),
  }),
  z.object({ type: z.enum(['shortcut', 'message_action']), user: person, trigger_id: id }),
  z.object({ type: z.literal('block_suggestion'), user: person, action_id: z.string() }),
]);

/** Classifies a signed body of any shape; never throws. */
export function readEnvelope(body: unknown): Envelope {
  // Parse only the schema that matches: a failed parse costs more than a successful one.
  const kind = discriminator.safeParse(body).data;
  if (kind?.type === 'event_callback') return readEvent(body);
  if (kind?.type === 'url_verification') return readChallenge(body);
  if (kind?.type !== undefined) return readInteraction(body);
  return kind?.command === undefined ? readSslCheck(body) : readCommand(body);
}

const UNKNOWN: Envelope = { kind: 'unknown' };

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

function readCommand(body: unknown): Envelope {
  const { data } = command.safeParse(body);
  return data ? { kind: 'interaction', identity: `command/${data.trigger_id}` } : UNKNOWN;
}

function readInteraction(body: unknown): Envelope {
  const { data } = interaction.safeParse(body);
  if (!data) return UNKNOWN;
  const identity = identityOf(data);
  return { kind: 'interaction', identity: identity && `${data.type}/${identity}` };
}

function readChallenge(body: unknown): Envelope {
  const { data } = urlVerification.safeParse(body);
  return data ? { kind: 'url_verification', challenge: data.challenge } : UNKNOWN;
}

function readSslCheck(body: unknown): Envelope {
  return sslCheck.safeParse(body).success ? { kind: 'ssl_check' } : UNKNOWN;
}

/**
 * What identifies one user action, so that a repeated delivery of it is recognized. Searching a
 * menu changes nothing and needs none.
 */
function identityOf(action: z.infer<typeof interaction>): string | undefined {
  switch (action.type) {
    case 'block_actions': {
      const timestamp = action.actions[0]?.action_ts;
      return action.trigger_id ?? (timestamp && `${action.user.id}/${timestamp}`);
    }
    case 'view_submission':
    case 'view_closed':
      return action.trigger_id ?? (action.view.hash && `${action.view.id}/${action.view.hash}`);
    case 'shortcut':
    case 'message_action':
      return action.trigger_id;
    case 'block_suggestion':
      return undefined;
  }
}
