import { expect } from 'vitest';
import { sendRequest } from './form.ts';
import { CHECKING, withProject } from './searching.ts';
import { it, startWorld } from './world.ts';

it('makes no call after a restart while the service’s 429 still applies, and says why', async () => {
  const { world, acme, ann, general, service, slack, me } = await startWorld();
  service.faults.add({ operation: 'createCard', kind: 'rate-limited', retryAfter: 600 });
  await sendRequest(world, me);
  await slack.until(() => me.sees().includes('Your request is saved'), 'the notice');
  expect(me.sees()).toMatch(/We’ll send it at <!date\^\d+\^\{time\}\|\d\d:\d\d UTC>/);
  const calls = service.calls().length;
  await world.restart();
  await me.close({ all: true });
  await me.command(general, 'tags');
  const words = await slack.until(() => acme.ephemerals(ann).at(-1)?.text, 'an answer');
  expect(words).toContain('Your design service is busy');
  expect(service.calls()).toHaveLength(calls);
});

// The planned times are 0, 5, 15, 35, and 75 s after the request was in doubt.
it.each([2, 40])(
  'searches for a request in doubt as soon as the service may be asked again, after %i s',
  async (retryAfter) => {
    const { world, searched, later, acme, general, service, slack, me } = await withProject();
    service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
    service.faults.add({ operation: 'listTasks', times: 1, kind: 'rate-limited', retryAfter });
    await sendRequest(world, me);
    await expect.poll(searched).toBe(1);
    await later(retryAfter + 2);
    expect(searched()).toBe(2);
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
  },
);

it('is not searched for while people and links need the calls', async () => {
  const { world, searched, later, acme, general, service, slack, me } = await withProject();
  for (let calls = 0; calls < 36; calls += 1) {
    await me.command(general, `status ${service.cards.add({ title: `Card ${calls}` }).id}`);
  }
  service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
  await sendRequest(world, me);
  await slack.until(() => me.sees().includes(CHECKING), 'that it is searched for');
  await later(5);
  expect(searched()).toBe(0);
  await later(75);
  await slack.until(() => acme.messages(general)[0], 'the confirmation');
  expect(searched()).toBe(1);
});
