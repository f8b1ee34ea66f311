import { describe, expect, it } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { disconnect } from './connecting.ts';
import { created, pressUntil, sentRequest } from './form.ts';
import { answerTo } from './links.ts';
import {
  previewed,
  QUIET_DAY,
  repliesTo,
  timedWorld,
  watchInPane,
  withRequest,
} from './watching.ts';

/** In minutes. The watch of a finished card ends after three days without a change. */
const LONG_FINISHED = 4 * 24 * 60;

describe('a confirmation whose watch has ended, once someone presses Watch there', () => {
  async function finished(options = {}) {
    const created = await withRequest({}, options);
    const { later, cardId, changed } = created;
    await changed(cardId, { status: STATUSES.done });
    await later(LONG_FINISHED);
    await changed(cardId, { status: STATUSES.revision });
    expect(textOfMessage(created.confirmation)).not.toContain('Revision');
    return created;
  }

  it('is kept current', async () => {
    const { world, later, cardId, confirmation, me, changed } = await finished();
    await answerTo(world, me, { message: confirmation, text: 'Watch' });
    await later(1);
    expect(textOfMessage(confirmation)).toContain('Revision');
    await changed(cardId, { status: STATUSES.inReview });
    expect(repliesTo(world, confirmation).at(-1)?.text).toContain('Revision → In review');
    expect(textOfMessage(confirmation)).toContain('In review');
  });

  it('keeps what it says, also if they press it in its pane', async () => {
    const { world, later, cardId, confirmation, me, changed } = await finished({
      workObjects: true,
    });
    await watchInPane(world, me, confirmation);
    await later(1);
    expect(confirmation.entities).toHaveLength(1);
    expect(textOfMessage(confirmation)).toMatch(/requested .*Spring banner.*Revision/s);
    await changed(cardId, { status: STATUSES.inReview });
    expect(confirmation.text).toMatch(/requested Spring banner.*In review/);
  });
});

it('someone who begins to watch a card that was quiet for days hears soon of a change', async () => {
  const { world, later, id, message, ada, changed } = await previewed();
  for (const minutes of [QUIET_DAY, QUIET_DAY, QUIET_DAY, 5]) await later(minutes);
  await answerTo(world, ada, { message, text: 'Watch' });
  await later(1);
  await changed(id, { status: STATUSES.inReview });
  expect(repliesTo(world, message)).toHaveLength(1);
});

describe('a change that happens before the card can be read', () => {
  it('after someone pressed Watch is announced', async () => {
    const { world, service, posted, later, me, ada, changed } = await timedWorld();
    const { id, message } = await posted(ada);
    await later(5);
    const heal = service.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
    await answerTo(world, me, { message, text: 'Watch' });
    await later(1);
    await changed(id, { status: STATUSES.done }, 5);
    heal();
    for (const minutes of [5, 5, 5]) await later(minutes);
    expect(textOfMessage(message)).toContain('Done');
    expect(repliesTo(world, message).map(({ text }) => text)).toEqual([
      expect.stringContaining('To do → Done'),
    ]);
  });

  it.each([
    ['is announced if that finishes it', STATUSES.done, ['is done: now Done']],
    ['is shown otherwise', STATUSES.inReview, []],
  ])('after it was created here, %s', async (_what, status, told) => {
    const { world, service, later, me, changed } = await timedWorld();
    const heal = service.faults.add({ operation: 'getCard', kind: 'status', status: 503 });
    const confirmation = await sentRequest(world, me);
    const { createdCardId: id = '' } = await created(world);
    await later(1);
    await changed(id, { status }, 5);
    heal();
    for (const minutes of [5, 5, 5]) await later(minutes);
    expect(textOfMessage(confirmation)).toContain(status.name);
    expect(repliesTo(world, confirmation).map(({ text }) => text)).toEqual(
      told.map((words) => expect.stringContaining(words)),
    );
  });
});

it('someone who pressed Watch in a pane by mistake can stop in the answer', async () => {
  const { world, acme, ann, posted, later, me, changed } = await timedWorld();
  const { id, message } = await posted(me, { workObjects: true });
  await watchInPane(world, me, message);
  await pressUntil(world, me, { text: 'Stop watching' }, 'Stopped');
  await later(1);
  await changed(id, { status: STATUSES.inReview });
  expect([...repliesTo(world, message), ...acme.directMessages(ann)]).toEqual([]);
});

it('whoever presses Watch while the workspace isn’t connected hears that the card can’t be read', async () => {
  const { world, posted, me } = await timedWorld();
  const { message } = await posted(me);
  await disconnect(world);
  const answer = await answerTo(world, me, { message, text: 'Watch' });
  expect(answer.text).toMatch(
    /^You’re watching \*.*\*, but we can’t read it now\. .*isn’t connected/,
  );
});
