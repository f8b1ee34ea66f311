import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { issueTrigger } from '../stand-ins/slack/state/triggers.ts';
import { privateAnswer } from './links.ts';
import { it, startWorld } from './world.ts';

it('a reply never goes to a URL that isn’t Slack’s, and still reaches the person', async () => {
  const { world, acme, ann, slack, me, logLines } = await startWorld();
  const channel = acme.addChannel({ name: 'team', members: [ann], botIsMember: true });
  let requests = 0;
  const canary = createServer((_request, response) => {
    requests += 1;
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  onTestFinished(() => void canary.close());
  const { port } = canary.address() as AddressInfo;

  await privateAnswer(world, ann, () => me.command(channel, 'help'));
  const genuine = slack.deliveries.findLast(({ kind }) => kind === 'command')?.rawBody;
  const body = new URLSearchParams(genuine);
  body.set('response_url', `http://127.0.0.1:${port}/commands/T1/x`);
  body.set('trigger_id', issueTrigger({ state: slack.state, workspace: acme, user: ann }));
  const { text } = await privateAnswer(world, ann, () =>
    slack.sendSigned(body.toString(), 'application/x-www-form-urlencoded'),
  );
  expect(text).toContain('/design-request status');
  expect(requests).toBe(0);
  expect(logLines.join('')).toContain(`http://127.0.0.1:${port}`);
});
