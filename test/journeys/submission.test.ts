import { describe, expect } from 'vitest';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { askedAbout, created, openFilledForm, reopenForm, sendRequest } from './form.ts';
import { changeSettings, jobsHandled } from './links.ts';
import { it, startWorld } from './world.ts';

describe('sending the form', () => {
  it('marks what is too long to be shown again', async ({ world, me }) => {
    await openFilledForm(world, me, { Description: '设计'.repeat(18_000) });
    expect((await me.submit()).errors).toEqual({
      Description: 'Description and wording are too long together. Shorten one of them.',
    });
    await me.fill({ Description: '设计'.repeat(16_000) });
    expect(await me.submit()).toMatchObject({ outcome: 'updated' });
  });

  it('is acknowledged at once, however long the service takes', async ({ world, service, me }) => {
    service.faults.add({ operation: 'createCard', kind: 'stall', ms: 1_500 });
    await sendRequest(world, me);
    const answered = service.calls().filter(({ status }) => status === 201);
    expect(answered).toEqual([]);
    expect(me.sees()).toContain('Sending…');
    await world.slack.until(() => me.sees().includes('Sent'), 'the result');
  });

  it.each([
    ['in its thread', {}, ', and we’ll tell you in its thread when it changes.'],
    ['elsewhere', { here: true }, ', and we’ll message you when it changes.'],
    ['nowhere', { everywhere: true }, '.'],
  ])(
    'says where it was posted, and that changes are announced %s',
    async (_where, muted, ending) => {
      const { world, general, slack, me } = await startWorld();
      const { here, everywhere } = { here: false, everywhere: false, ...muted };
      await changeSettings(world, {
        'Changes to watched cards': [
          ...(here ? ['Turn off messages about changes in this channel'] : []),
          ...(everywhere ? ['Turn off messages about changes everywhere'] : []),
        ],
      });
      await sendRequest(world, me);
      const sentence = `:white_check_mark: *Sent.* We posted it in <#${general.id}>${ending}`;
      await slack.until(() => me.sees().includes(sentence), 'where it was posted');
    },
  );

  it('says that the confirmation is in a direct message, or that there is none', async () => {
    const { world, slack, me } = await startWorld();
    await sendRequest(world, me, { Draft: ['Save as draft, don’t start work yet'] });
    const saved =
      '*Draft saved.* We sent you the confirmation, and we’ll message you when it changes.';
    await slack.until(() => me.sees().includes(saved), 'that it was saved');
    await me.close({ all: true });

    slack.faults.add({ method: 'chat.postMessage', kind: 'error', error: 'restricted_action' });
    slack.faults.add({ method: 'chat.postEphemeral', kind: 'error', error: 'restricted_action' });
    await sendRequest(world, me);
    const unposted = '*Sent.* To see it, type `/design-request list`.';
    await slack.until(() => me.sees().includes(unposted), 'that it was sent');
  });

  it('ends with the outcome even if Slack applies the acknowledgment late', async () => {
    const { world, slack, me } = await startWorld({ ackUpdateDelayMs: 700 });
    await sendRequest(world, me);
    await slack.until(() => me.sees().includes('Sending…'), 'the late acknowledgment');
    await slack.until(() => me.sees().includes(':white_check_mark:'), 'the outcome');
  });

  it('creates one card from two submissions of one form', async ({ world, acme, slack, me }) => {
    await openFilledForm(world, me);
    const view = me.currentView();
    await Promise.all([me.submit(view), me.submit(view)]);
    await slack.until(() => acme.messages(world.general)[0], 'the confirmation');
    await slack.idle();
    expect(world.service.calls({ operation: 'createCard' })).toHaveLength(1);
    expect(acme.messages(world.general)).toHaveLength(1);
  });

  it('names people and channels that the text mentions, and keeps its formatting', async () => {
    const { world, admin, general, service, me } = await startWorld();
    const elements = [
      { type: 'user', user_id: admin.id },
      { type: 'channel', channel_id: general.id },
      { type: 'text', text: ' <b>not bold</b>', style: { bold: true } },
    ];
    const section = { type: 'rich_text_section', elements };
    await sendRequest(world, me, { Description: { type: 'rich_text', elements: [section] } });
    await created(world);
    const description = service.cards.all().at(-1)?.description;
    expect(description).toContain(`@${admin.realName}`);
    expect(description).toContain('#general');
    expect(description).toMatch(/<(b|strong)> &lt;b&gt;not bold&lt;\/b&gt;<\/(b|strong)>/);
  });

  it('sends a draft as a draft, and tells only its author', async () => {
    const { world, acme, general, service, me } = await startWorld();
    const told = await askedAbout(world, me, { Draft: ['Save as draft, don’t start work yet'] });
    expect(told.text).toContain('saved a draft of');
    expect(textOfMessage(told)).toContain('nobody is working on it yet');
    // Although the form says to post in that channel.
    await jobsHandled(world, 'announce-request');
    expect(acme.messages(general)).toEqual([]);
    expect(service.cards.all().at(-1)).toMatchObject({ isDraft: true });
  });
});

describe('the confirmation', () => {
  it('goes to the chosen conversation, or to a direct message if none is chosen', async () => {
    const { world, acme, ann, general, slack, me } = await startWorld();
    const design = acme.addChannel({ name: 'design', members: [ann] });
    await sendRequest(world, me, { 'Post in': design });
    await slack.until(() => acme.messages(design)[0], 'the confirmation');
    await me.close({ all: true });
    await askedAbout(world, me, { 'Post in': null });
    expect(acme.messages(general)).toEqual([]);
  });

  it('can’t go to a conversation that another company is in', async () => {
    const { world, acme, ann, slack, me } = await startWorld();
    const globex = slack.addWorkspace({ name: 'Globex', installed: false });
    const shared = acme.addChannel({ name: 'shared', members: [ann] });
    await openFilledForm(world, me, { 'Post in': shared });
    // The channel becomes shared while the form is open, so the menu can't prevent it.
    shared.sharedWith.push(globex.id);
    await me.submit();
    const message = await slack.until(() => acme.directMessages(ann)[0], 'the message');
    expect(textOfMessage(message)).toContain('shared with another company');
    expect(acme.messages(shared)).toEqual([]);
    await reopenForm(world, me);
    await expect(me.fill({ 'Post in': shared })).rejects.toThrow();
  });
});
