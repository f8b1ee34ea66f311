import { expect } from 'vitest';
import { postShown, shown, slackCalls } from './links.ts';
import { it, type World, worldAhead } from './world.ts';

const urlOf = ({ service, cardUrl }: World, title: string) =>
  cardUrl(service.cards.add({ title }).id);

it('unfurls a link automatically after the service stopped answering', async () => {
  const { world, pass, general, service, logLines, me } = await worldAhead();
  service.faults.add({ operation: 'getCard', kind: 'hang', times: 1 });
  const message = await me.post(general, urlOf(world, 'Stalled'));
  await expect
    .poll(() => logLines.join('').includes('could not read a card for a link'))
    .toBe(true);
  expect(message.attachments).toEqual([]);
  pass(60_000);
  await postShown(world, me, urlOf(world, 'Another one wakes the queue'));
  await shown(world, message);
});

it('unfurls a link automatically after Slack stopped answering', async ({ world, slack, me }) => {
  slack.faults.add({ method: 'chat.unfurl', kind: 'hang', times: 1 });
  await postShown(world, me, urlOf(world, 'Autumn poster'));
  expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
});
