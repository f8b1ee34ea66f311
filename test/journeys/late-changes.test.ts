import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sendRequest, sentRequest } from './form.ts';
import { it, startWorld, type World } from './world.ts';

/** Sends another open copy of the form that was sent last, perhaps with another title. */
function sendAgain({ slack }: World, title?: string) {
  const submission = slack.deliveries.findLast(({ kind }) => kind === 'view_submission');
  const payload = JSON.parse(JSON.stringify(submission?.payload));
  const { values } = payload.view.state;
  const block = Object.keys(values).find((id) => id.startsWith('title'));
  if (title !== undefined) values[block ?? ''].title.value = title;
  payload.trigger_id = `${payload.trigger_id}0`;
  return slack.sendSigned(new URLSearchParams({ payload: JSON.stringify(payload) }).toString());
}

describe('a form that is sent again with changes', () => {
  it('changes the request until it is being sent', async () => {
    const { world, acme, general, service, slack, me } = await startWorld();
    service.faults.add({ operation: 'createCard', kind: 'rate-limited', retryAfter: 3, times: 1 });
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes('Your request is saved'), 'the notice');
    await sendAgain(world, 'Summer banner');
    await slack.until(() => acme.messages(general)[0], 'the confirmation');
    expect(service.cards.all().at(-1)?.title).toBe('Summer banner');
    expect(service.calls({ operation: 'createCard', executed: true })).toHaveLength(1);
  });

  it('says that it is too late once the card is created', async () => {
    const { world, service, me } = await startWorld();
    await sentRequest(world, me);
    const answer = await sendAgain(world, 'Summer banner');
    expect(JSON.stringify(answer.body)).toContain('Your later changes weren’t sent');
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is sent if its request was discarded before', async () => {
    const { world, acme, ann, general, service, slack, me } = await startWorld();
    const types = [...service.referenceLists.requestTypes];
    service.referenceLists.requestTypes = types.filter(({ id }) => id !== 'type-social');
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes('Fix the marked fields'), 'the form again');
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

describe('a reply whose response_url no longer works', () => {
  it('goes another way', async ({ acme, ann, general, slack, me }) => {
    slack.faults.add({ method: 'response_url', kind: 'http', status: 404 });
    await me.command(general, 'help');
    const told = await slack.until(
      () => acme.ephemerals(ann)[0] ?? acme.directMessages(ann)[0],
      'an answer',
    );
    expect(textOfMessage(told)).toContain('/design-request');
  });
});
