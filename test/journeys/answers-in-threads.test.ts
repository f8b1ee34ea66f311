import { expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { answerTo, privateAnswer } from './links.ts';
import { it, startWorld, type World } from './world.ts';

/** Ann's reply in a thread, in a channel with or without the app. */
async function replyOfAnn({ acme, ann }: World, botIsMember: boolean, text: string) {
  const channel = acme.addChannel({ name: 'plans', members: [ann], botIsMember });
  const me = acme.as(ann);
  const root = await me.post(channel, 'What about the poster?');
  return { me, root, message: await me.post(channel, text, { threadTs: root.ts }) };
}

it.each([
  ['is in the channel', true],
  ['isn’t in the channel', false],
])('answers to buttons in a thread appear there if the app %s', async (_where, isMember) => {
  const { world, ann, service, slack, cardUrl } = await startWorld();
  const { id } = service.cards.add({ title: 'Autumn poster', status: STATUSES.toDo });
  const { me, root, message } = await replyOfAnn(world, isMember, cardUrl(id));
  await slack.until(() => message.attachments.length === 1, 'the preview');
  const press = (what: Parameters<Person['click']>[0]) => answerTo(world, me, what);
  const watching = await press({ message, text: 'Watch' });
  expect(watching.text).toContain('You’re watching');
  const stopped = await press({ ephemeral: watching, text: 'Stop watching' });
  expect(stopped.text).toContain('Stopped');
  service.faults.add({ operation: 'getCard', kind: 'status', status: 404 });
  const refused = await press({ message, text: 'Refresh' });
  expect(refused.text).toContain('Couldn’t find this card');
  ann.guest = 'multi';
  await world.restart();
  const denied = await press({ message, text: 'Watch' });
  expect(denied.text).toContain('Only full members');
  for (const { text, threadTs } of [watching, stopped, refused, denied]) {
    expect(threadTs, text).toBe(root.ts);
  }
});

it('what is said about a message in a thread appears there', async () => {
  const { world, ann, slack, cardUrl } = await startWorld();
  const { me, root, message } = await replyOfAnn(world, true, 'A banner');
  slack.faults.add({ method: 'views.open', kind: 'error', error: 'internal_error' });
  const notOpened = await privateAnswer(world, ann, () =>
    me.messageShortcut(message, 'Create design request'),
  );
  expect(notOpened.text).toContain('couldn’t be opened');
  const hint = await privateAnswer(world, ann, () =>
    me.post(message.channelId, cardUrl('unknown'), { threadTs: root.ts }),
  );
  expect(hint.text).toContain('Couldn’t find this card');
  expect([notOpened.threadTs, hint.threadTs]).toEqual([root.ts, root.ts]);
});
