import { expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { answerTo } from './links.ts';
import { previewed, repliesTo, timedWorld, watchedByMany } from './watching.ts';

it('a new due date is announced in words, although the service writes it as a number', async () => {
  const { world, service, id, message, changed } = await previewed();
  service.answers.dueDateShape = 'unix-ms';
  await changed(id, { dueDate: new Date('2019-12-03T09:30:00Z') });
  await changed(id, { dueDate: new Date('2099-12-03T09:30:00Z') });
  expect(repliesTo(world, message).map(({ text }) => text)).toEqual([
    'Autumn poster: :warning: *overdue since 3 Dec 2019*',
    'Autumn poster: due 3 Dec 2099',
  ]);
});

it('of many who watch in one thread, fifty are mentioned there, and the others get direct messages', async () => {
  const { world, acme, ann, id, message, changed } = await previewed();
  const others = await watchedByMany(world, { cardId: id, thread: message, count: 59 });
  await changed(id, { status: STATUSES.inReview }, 3, 1);
  const [reply, ...more] = repliesTo(world, message);
  expect(more).toEqual([]);
  const mentioned: string[] = JSON.stringify(reply?.blocks).match(/<@\w+>/g) ?? [];
  expect(mentioned).toHaveLength(50);
  expect(JSON.stringify(reply?.blocks)).toContain('In review');
  for (const person of [ann, ...others]) {
    const isMentioned = mentioned.includes(`<@${person.id}>`);
    expect(acme.directMessages(person)).toHaveLength(isMentioned ? 0 : 1);
  }
});

it('a new file with the name of another, which the service lists without IDs, is announced', async () => {
  const file = { name: 'banner.png', ext: 'png', urls: { full: 'https://f.example.com/1.png' } };
  const { world, id, message, changed } = await previewed({ wire: { files: [file] } });
  const again = { ...file, urls: { full: 'https://f.example.com/2.png' } };
  await changed(id, { wire: { files: [file, again] } });
  const [reply, ...others] = repliesTo(world, message);
  expect(others).toEqual([]);
  expect(reply?.text).toBe('Autumn poster: 1 new file');
  expect(JSON.stringify(reply?.blocks)).toContain('2.png');
  expect(JSON.stringify(reply?.blocks)).not.toContain('1.png');
});

it('no file is announced as new because one of more than a hundred was removed', async () => {
  const { world, service, later, id, message, changed } = await previewed();
  for (let n = 1; n <= 101; n += 1) service.cards.addFile(id, { name: `file-${n}.zip` });
  await later(3);
  const { files } = service.cards.get(id) ?? { files: [] };
  await changed(id, { files: files.slice(0, -1) }, 15);
  service.cards.addFile(id, { name: 'another.zip' });
  await later(15);
  expect(repliesTo(world, message).map(({ text }) => text)).toEqual([
    'Autumn poster: 100 new files',
    'Autumn poster: 1 new file',
  ]);
});

it('someone who watches elsewhere and presses Stop watching in a thread stops only what is posted there', async () => {
  const { world, acme, ann, admin, posted, later, me, ada, changed } = await timedWorld();
  const { id, message } = await posted(ada);
  await answerTo(world, ada, { message, text: 'Watch' });
  const ephemeral = await answerTo(world, me, `status ${id}`);
  const watching = await answerTo(world, me, { ephemeral, text: 'Watch' });
  expect(watching.text).toContain('We’ll message you');
  await later(1);
  await changed(id, { status: STATUSES.inProgress });
  const [reply] = repliesTo(world, message);
  if (!reply) throw new Error('nothing was announced');
  const stop = { message: reply, text: 'Stop watching' };
  const answer = await answerTo(world, me, stop);
  expect(answer.text).toContain('You still watch it elsewhere');
  await changed(id, { status: STATUSES.inReview }, 3, 1);
  expect(repliesTo(world, message)).toHaveLength(1);
  const told = [ann, admin].map((who) => acme.directMessages(who).length);
  expect(told).toEqual([2, 1]);
});
