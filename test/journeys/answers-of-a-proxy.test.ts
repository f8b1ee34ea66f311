import { describe, expect } from 'vitest';
import { startApp } from '../../src/app.ts';
import { createLog } from '../../src/ops/logging.ts';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { openForm, sendRequest, sentRequest } from './form.ts';
import { jobsHandled, postShown, slackCalls } from './links.ts';
import { it, startWorld } from './world.ts';

/** What a proxy or a load balancer answers in Slack's place, with HTTP 200. Slack never gets the call. */
const INSTEAD: [string, FaultKind][] = [
  ['a page', { kind: 'http', status: 200 }],
  ['nothing', { kind: 'http', status: 200, body: '' }],
  ['a page of status 403', { kind: 'http', status: 403 }],
];
/** Slack did it, and the answer lacks its end. */
const TRUNCATED: [string, FaultKind] = [
  'half of an answer',
  { kind: 'truncated_answer', length: 9 },
];

describe('while Slack’s place is taken by', () => {
  it.each(INSTEAD)('%s, the author is told in the end, once', async (_what, fault) => {
    const { world, acme, ann, general, service, slack, me } = await startWorld();
    slack.faults.add({ method: 'chat.postMessage', times: 2, ...fault });
    await sentRequest(world, me);
    await jobsHandled(world, 'announce-request');
    expect(acme.messages(general)).toHaveLength(1);
    expect(acme.directMessages(ann)).toEqual([]);
    expect(slackCalls(world, 'chat.postMessage')).toHaveLength(3);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it.each([...INSTEAD, TRUNCATED])('%s, a link gets its card in the end', async (_what, fault) => {
    const { world, acme, ann, service, slack, me, cardUrl } = await startWorld();
    const { id } = service.cards.add({ title: 'Autumn poster' });
    slack.faults.add({ method: 'chat.unfurl', times: 2, ...fault });
    const message = await postShown(world, me, cardUrl(id));
    await jobsHandled(world, 'slack-event');
    expect(textOfMessage(message)).toContain('Autumn poster');
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(3);
    expect(acme.ephemerals(ann)).toEqual([]);
  });

  it.each(INSTEAD)('%s, a form that doesn’t open says so, once', async (_what, fault) => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    slack.faults.add({ method: 'views.open', times: 1, ...fault });
    await me.command(general, 'Spring banner');
    await slack.until(() => acme.ephemerals(ann)[0], 'words');
    await slack.idle();
    expect(acme.ephemerals(ann)).toHaveLength(1);
    await openForm(world, me, 'Spring banner');
    expect(me.field('Title').value).toMatchObject({ value: 'Spring banner' });
  });

  it.each([...INSTEAD, TRUNCATED])(
    '%s, the app starts, and is ready later',
    async (_what, fault) => {
      const { world, slack, config } = await startWorld();
      await world.app.stop();
      slack.faults.add({ method: 'auth.test', times: 2, ...fault });
      const log = createLog({ level: 'silent' });
      world.app = await startApp(config, { log });
      const readiness = async () => (await fetch(`${world.app.url}/readyz`)).status;
      await expect.poll(readiness).toBe(200);
      expect(slackCalls(world, 'auth.test').length).toBeGreaterThanOrEqual(3);
    },
  );
});

it('a confirmation whose answer lacks its end is sent once more and no more', async () => {
  const { world, acme, general, slack, me } = await startWorld();
  slack.faults.add({ method: 'chat.postMessage', times: 1, ...TRUNCATED[1] });
  await sendRequest(world, me);
  await slack.until(() => acme.messages(general).length === 2, 'the doubled notice');
  await jobsHandled(world, 'announce-request');
  expect(slackCalls(world, 'chat.postMessage')).toHaveLength(2);
});
