import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sendAgain, sendRequest, sentRequest, untilSees } from './form.ts';
import { it, startWorld } from './world.ts';

/** Another open copy of the form has another title. */
const toSummer = (payload: string) => payload.replaceAll('Spring banner', 'Summer banner');

describe('a form that is sent again with changes', () => {
  it('changes the request until it is being sent', async () => {
    const { world, acme, general, service, slack, me } = await startWorld();
    service.faults.add({ operation: 'createCard', kind: 'rate-limited', retryAfter: 3, times: 1 });
    await sendRequest(world, me);
    await untilSees(world, me, 'Your request is saved');
    await sendAgain(world, toSummer);
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    expect(service.cards.all().at(-1)?.title).toBe('Summer banner');
    expect(service.calls({ operation: 'createCard', executed: true })).toHaveLength(1);
  });

  it('says that it is too late once the card is created', async ({ world, service, me }) => {
    await sentRequest(world, me);
    const answer = await sendAgain(world, toSummer);
    expect(JSON.stringify(answer.body)).toContain('Your later changes weren’t sent');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is sent if its request was discarded before', async () => {
    const { world, acme, ann, general, service, slack, me } = await startWorld();
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = types.filter(({ id }) => id !== 'type-social');
    await sendRequest(world, me);
    await untilSees(world, me, 'Fix the marked fields');
    const note = await slack.until(() => acme.directMessages(ann)[0], 'the note');
    await me.click({ message: note, text: 'Discard' });
    await slack.until(() =>
      acme.directMessages(ann).some((message) => textOfMessage(message).includes('Discarded')),
    );
    service.referenceLists.requestTypes = types;
    await sendAgain(world);
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
  });
});

it('a reply whose response_url no longer works goes another way', async ({
  acme,
  ann,
  general,
  slack,
  me,
}) => {
  slack.faults.add({ method: 'response_url', kind: 'http', status: 404 });
  await me.command(general, 'help');
  const told = await slack.until(
    () => acme.ephemerals(ann)[0] ?? acme.directMessages(ann)[0],
    'an answer',
  );
  expect(textOfMessage(told)).toContain('/design-request');
});
