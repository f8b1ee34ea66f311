import { Agent } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { strangeBody } from '../faults/fuzz/http-bodies.ts';
import { recordDeliveries } from '../faults/fuzz/record-deliveries.ts';
import { send } from '../faults/fuzz/send.ts';
import { chanceOf } from '../faults/random.ts';
import { sendRequest } from './form.ts';
import { startWorld } from './world.ts';

/** Always the same payloads, so that a failure can be reproduced. Fault 8 sends others, and many more. */
const SEED = 20_260_302;
const RUNS = 400;

it('any payload that Slack signed is answered, and never ends the process', async () => {
  const died = vi.fn();
  process.on('uncaughtExceptionMonitor', died);
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', died));
  const { world, slack, app, service, ann, ada } = await startWorld();
  service.limitKey(service.apiKey, 1_000_000);
  const recorded = await recordDeliveries({ ...world, people: [ann] });
  const chance = chanceOf(SEED);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const target = { url: `${app.url}/slack/events`, signingSecret: slack.signingSecret, agent };
  for (let sent = 0; sent < RUNS; sent += 1) {
    const { status } = await send(target, strangeBody(chance, recorded));
    // Of bytes that aren't UTF-8, the signature can't be checked.
    expect([200, 400, 401, 404, 500]).toContain(status);
  }

  expect(died).not.toHaveBeenCalled();
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  // And the app still works, for someone whose form the fuzzing hasn't redrawn.
  await sendRequest(world, ada, { Title: 'After all that' });
  await slack.until(
    () => service.cards.all().some(({ title }) => title === 'After all that'),
    'the card',
  );
}, 120_000);
