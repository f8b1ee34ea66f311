import type { JsonObject } from '../../stand-ins/slack/json.ts';
import type { Chance } from '../random.ts';
import { changedPayload } from './changed-payload.ts';
import { type Recorded, withFreshIds } from './http-bodies.ts';
import { asJson, strangeText, strangeValue } from './strange-values.ts';

/** Names that Slack's own client uses internally, as an event's type. */
const CLIENTS_OWN = [
  'error',
  'close',
  'connected',
  'disconnected',
  'disconnecting',
  'authenticated',
  'ws_message',
  'slack_event',
  'hello',
  'disconnect',
] as const;

/** One frame for a socket; rarely one that asks to reconnect, since each of those takes time. */
export function strangeFrame(chance: Chance, recorded: Recorded): string {
  if (chance.is(0.001)) return asJson({ type: 'disconnect', reason: strangeValue(chance) });
  return chance.pick([
    () => asJson(strangeValue(chance)),
    () => strangeText(chance),
    () => asJson(changedPayload(chance, envelope(chance, recorded))),
    () => asJson(envelope(chance, recorded, (payload) => changedPayload(chance, payload))),
    () => asJson({ ...envelope(chance, recorded), payload: strangeValue(chance) }),
    () => asJson({ ...envelope(chance, recorded), type: chance.pick(CLIENTS_OWN) }),
    () => asJson(eventNamed(chance, chance.pick(CLIENTS_OWN))),
    () => asJson(eventNamed(chance, strangeValue(chance))),
    () => asJson(envelope(chance, recorded)).slice(0, chance.below(500)),
  ])();
}

function envelope(
  chance: Chance,
  recorded: Recorded,
  change: (payload: JsonObject) => JsonObject = (payload) => payload,
): JsonObject {
  const { kind, payload } = chance.pick(recorded);
  const types = { command: 'slash_commands', event: 'events_api' } as const;
  const type = kind === 'command' || kind === 'event' ? types[kind] : 'interactive';
  return frameOf(chance, type, change(withFreshIds(chance, payload)));
}

const frameOf = (chance: Chance, type: string, payload: JsonObject) => ({
  envelope_id: `fuzz-${chance.below(2 ** 40)}`,
  type,
  payload,
  accepts_response_payload: type !== 'events_api',
});

function eventNamed(chance: Chance, type: unknown): JsonObject {
  const id = chance.below(2 ** 40);
  return frameOf(chance, 'events_api', {
    type: 'event_callback',
    event_id: `Ev${id}`,
    team_id: 'T000000001',
    event: { type },
  });
}
