import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { bodyOf, contentTypeOf } from '../stand-ins/slack/dispatch/delivery.ts';
import { asObject, type JsonObject, objectsOf } from '../stand-ins/slack/json.ts';
import { setTheStage } from './access-stage.ts';
import { openForm } from './form.ts';
import { runStep } from './workflow-step.ts';
import type { World } from './world.ts';

/** Of a newer version, or a property that every object has. */
const UNKNOWN = ['of-a-newer-version', '__proto__', 'constructor'];

/** Of an error, in what a person is told. */
const REFERENCE = /E-[0-9A-Z]{6}/;
const isToldSince = ({ slack }: World, calls: number) =>
  slack.apiCalls.slice(calls).some(({ args }) => REFERENCE.test(JSON.stringify(args)));
const WAITED_FOR = new Set(['command', 'block_actions', 'shortcut', 'function']);

const inView = (payload: JsonObject, id: string): JsonObject => ({
  ...payload,
  view: { ...asObject(payload.view), callback_id: id },
});

/** How a delivery of each kind names what it is about. */
const NAMED: Record<string, (payload: JsonObject, id: string) => JsonObject> = {
  command: (payload, id) => ({ ...payload, command: `/${id}` }),
  block_actions: (payload, id) => ({
    ...payload,
    actions: objectsOf(payload.actions).map((one) => ({ ...one, action_id: id })),
  }),
  block_suggestion: (payload, id) => ({ ...payload, action_id: id }),
  view_submission: inView,
  view_closed: inView,
  shortcut: (payload, id) => ({ ...payload, callback_id: id }),
  event: (payload, id) => ({
    ...payload,
    event: { ...asObject(payload.event), type: id },
  }),
  function: (payload, id) => {
    const event = asObject(payload.event);
    const called = { ...asObject(event.function), callback_id: id };
    return { ...payload, event: { ...event, function: called } };
  },
};

it('acknowledges and logs what has an ID that it doesn’t know, and tells whoever waits for it', async () => {
  const { world, channel, cardUrl } = await setTheStage();
  const { slack, logLines, ada: me } = world;
  await openForm(world, me);
  await me.close({ all: true });
  await me.post(channel, cardUrl);
  runStep(world);
  await slack.idle();
  const kindOf = ({ kind, payload }: (typeof slack.deliveries)[number]) =>
    asObject(payload.event).type === 'function_executed' ? 'function' : kind;

  for (const [name, rename] of Object.entries(NAMED)) {
    const genuine = slack.deliveries.find((one) => kindOf(one) === name);
    if (!genuine) throw new Error(`Slack delivered no ${name}`);
    const { kind, payload } = genuine;
    for (const id of UNKNOWN) {
      const fresh = { ...payload, [kind === 'event' ? 'event_id' : 'trigger_id']: randomUUID() };
      const [logged, said] = [logLines.length, slack.apiCalls.length];
      const body = bodyOf(kind, rename(fresh, id));
      const answer = await slack.sendSigned(body, contentTypeOf(kind));
      expect(answer.status, `${name} ${id}`).toBe(200);
      const isLogged = () => logLines.slice(logged).some((line) => line.includes(id));
      await slack.until(isLogged, `${name} ${id} in the log`);
      if (name === 'view_submission') expect(answer.body).toMatch(REFERENCE);
      const isTold = () => isToldSince(world, said);
      if (WAITED_FOR.has(name)) await slack.until(isTold, `the answer to ${name} ${id}`);
    }
  }
});

it('acknowledges a menu of which nothing was chosen, and tells whoever waits for it', async () => {
  const { world, channel, cardUrl } = await setTheStage();
  const { slack, ada } = world;
  await ada.post(channel, cardUrl);
  await openForm(world, ada);
  const genuine = slack.deliveries.find(({ kind }) => kind === 'block_actions');
  if (!genuine) throw new Error('Slack delivered no button');
  const [button] = objectsOf(genuine.payload.actions);
  for (const chosen of [undefined, null, {}]) {
    const menu = { ...button, type: 'overflow', selected_option: chosen };
    const payload = { ...genuine.payload, trigger_id: randomUUID(), actions: [menu] };
    const said = slack.apiCalls.length;
    const body = bodyOf('block_actions', payload);
    const { status } = await slack.sendSigned(body, contentTypeOf('block_actions'));
    expect(status).toBe(200);
    await slack.until(() => isToldSince(world, said), 'the answer');
  }
});
