import { describe, expect } from 'vitest';
import type { FaultKind } from '../stand-ins/slack/faults.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { fillForm, openForm, sendRequest, sentRequest, showAllFields } from './form.ts';
import { jobsHandled, slackCalls } from './links.ts';
import { it, startWorld } from './world.ts';

describe('the confirmation, while Slack is failing', () => {
  it.each<[string, FaultKind]>([
    ['Slack limits calls', { kind: 'rate_limited', retryAfter: 1 }],
    ['Slack fails', { kind: 'error', error: 'internal_error' }],
    ['a proxy answers with a page', { kind: 'http', status: 200 }],
  ])('arrives in the chosen conversation, once, although %s at first', async (_what, fault) => {
    const { world, acme, ann, general, service, slack, me } = await startWorld();
    slack.faults.add({ method: 'chat.postMessage', times: 2, ...fault });
    await sentRequest(world, me);
    await jobsHandled(world, 'announce-request');
    expect(acme.messages(general)).toHaveLength(1);
    expect(acme.directMessages(ann)).toEqual([]);
    expect(slackCalls(world, 'chat.postMessage')).toHaveLength(3);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it.each<FaultKind>([{ kind: 'lost_answer' }, { kind: 'truncated_answer', length: 9 }])(
    'is given up if it may have arrived twice: %o',
    async (fault) => {
      const { world, acme, general, service, slack, me, logLines } = await startWorld();
      slack.faults.add({ method: 'chat.postMessage', times: 2, ...fault });
      await sendRequest(world, me);
      await slack.until(() => acme.messages(general).length === 2, 'the doubled notice');
      await expect.poll(() => logLines.join('')).toContain('could not announce a request');
      expect(acme.messages(general)).toHaveLength(2);
      expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
    },
  );

  it('goes to its author if the form was opened in a direct message between two people', async () => {
    const { world, acme, admin, ann, slack, me } = await startWorld();
    const between = acme.addChannel({ name: '', kind: 'im', members: [ann, admin] });
    await openForm(world, me, '', between);
    await fillForm(world, me);
    await showAllFields(world, me);
    expect(me.field('Post in').value).toMatchObject({ selected_conversation: null });
    await me.submit();
    const message = await slack.until(() => acme.directMessages(ann)[0], 'the message');
    expect(textOfMessage(message)).not.toContain('getting this here');
  });

  it('goes to a direct message if the channel was archived meanwhile', async () => {
    const { world, acme, ann, service, slack, me } = await startWorld();
    const old = acme.addChannel({ name: 'old', members: [ann] });
    service.faults.add({ operation: 'createCard', kind: 'stall', ms: 200, times: 1 });
    await sendRequest(world, me, { 'Post in': old });
    old.archived = true;
    const message = await slack.until(() => acme.directMessages(ann)[0], 'the message');
    expect(textOfMessage(message)).toContain('is archived');
  });
});
