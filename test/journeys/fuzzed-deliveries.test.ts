import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { anyCharacter } from '../any-text.ts';
import type { Delivery } from '../stand-ins/slack/dispatch/delivery.ts';
import { bodyOf, contentTypeOf } from '../stand-ins/slack/dispatch/delivery.ts';
import type { JsonObject } from '../stand-ins/slack/json.ts';
import { sendRequest } from './form.ts';
import { runStep, STEP } from './workflow-step.ts';
import { startWorld, type World } from './world.ts';

/** Always the same payloads, so that a failure can be reproduced. */
const SEED = 20_260_302;
const RUNS = 400;

type Path = readonly (string | number)[];

/** The path of every value inside a value. */
function placesIn(value: unknown, place: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inside = Object.entries(value).flatMap(([name, item]) => placesIn(item, [...place, name]));
  return [place, ...inside];
}

/** A copy with another value at one path, which is created if missing. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      String(index) === String(name) ? replaced(item, rest, by) : item,
    );
  }
  const object = typeof value === 'object' && value !== null ? value : {};
  const entries = new Map<string, unknown>(Object.entries(object));
  entries.set(String(name), replaced(entries.get(String(name)), rest, by));
  return Object.fromEntries(entries);
}

const strange = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    '\u0000',
    '\ud800',
    '__proto__',
    '<!channel>',
    'x'.repeat(100_000),
    -1,
    1e21,
    ['__proto__'],
    JSON.parse('{"__proto__":{"a":1}}'),
    Array.from({ length: 1_000 }, () => ({ id: 'x' })),
    // Removed.
    undefined,
  ),
);

/** One of these payloads under new IDs, with a few strange values in it. */
function mutated(deliveries: readonly Delivery[]) {
  const fresh = fc.tuple(fc.constantFrom(...deliveries), fc.uuid());
  return fresh.chain(([{ kind, payload: seen }, id]) => {
    const payload = { ...seen, [kind === 'event' ? 'event_id' : 'trigger_id']: id };
    const place = fc.constantFrom(...placesIn(payload));
    return fc.array(fc.tuple(place, strange), { minLength: 1, maxLength: 3 }).map((changes) => {
      const changed = changes.reduce<unknown>(
        (value, [at, by]) => replaced(value, at, by),
        payload,
      );
      return { kind, changed };
    });
  });
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Functions are events of one type, handled in different ways. */
const sortOf = ({ kind, payload: { type, event } }: Delivery) =>
  `${kind} ${type} ${isObject(event) ? `${event.type} ${JSON.stringify(event.function)}` : ''}`;

/** Everything Slack sends during a request, one of each kind. */
async function genuineDeliveries(world: World): Promise<Delivery[]> {
  const { slack, acme, ann, general } = world;
  const me = acme.as(ann);
  await sendRequest(world, me);
  const message = await me.post(general, world.cardUrl('card-1001'));
  await me.messageShortcut(message, 'Create design request');
  await me.globalShortcut('Request a design');
  me.openApp();
  await slack.until(() => me.home(), 'the Home tab');
  await me.click({ view: me.home(), text: 'Refresh' });
  await me.command(general, 'status card-1001');
  runStep(world);
  await acme.stepOptions({ builder: ann, step: STEP, input: 'product' });
  await slack.idle();
  const sorts = new Map(slack.deliveries.map((one) => [sortOf(one), one]));
  return [...sorts.values()];
}

describe('any payload that Slack signed', () => {
  it('is answered, and never ends the process', async () => {
    const died = vi.fn();
    process.on('uncaughtExceptionMonitor', died);
    onTestFinished(() => void process.off('uncaughtExceptionMonitor', died));
    const world = await startWorld();
    const { slack, app, service } = world;
    service.limitKey(service.apiKey, 1_000_000);
    const deliveries = await genuineDeliveries(world);
    expect(deliveries.length).toBeGreaterThanOrEqual(6);

    await fc.assert(
      fc.asyncProperty(mutated(deliveries), async ({ kind, changed }) => {
        const body = isObject(changed) ? bodyOf(kind, changed) : String(JSON.stringify(changed));
        const answer = await slack.sendSigned(body, contentTypeOf(kind));
        expect(answer.error).toBeUndefined();
        expect([200, 400, 404, 500]).toContain(answer.status);
      }),
      { seed: SEED, numRuns: RUNS },
    );

    expect(died).not.toHaveBeenCalled();
    expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
    // And the app still works, for someone whose form the fuzzing hasn't redrawn.
    await sendRequest(world, world.acme.as(world.admin), { Title: 'After all that' });
    await slack.until(
      () => service.cards.all().some(({ title }) => title === 'After all that'),
      'the card',
    );
  }, 120_000);
});
