import { describe, expect } from 'vitest';
import { STATUSES } from '../stand-ins/design-service/cards.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { sentRequest } from './form.ts';
import {
  changeSettings,
  eventsHandled,
  finish,
  jobsHandled,
  poster,
  postShown,
  sharedCard,
  slackCalls,
} from './links.ts';
import { aSecond, postWorkObjects, worldWithWorkObjects } from './work-objects.ts';
import { it, type World } from './world.ts';

const HOUR_MS = 60 * 60_000;

describe('a card link', () => {
  it('is a Work Object, which Refresh updates', async () => {
    const { world, slack, me } = await worldWithWorkObjects();
    const { id, url } = poster(world, { status: STATUSES.inProgress });
    const message = await postWorkObjects(world, me, `${url}?from=slack&amp;x=1`);
    expect(message.attachments).toEqual([]);
    expect(message.entities).toMatchObject([
      {
        appUnfurlUrl: `${url}?from=slack&amp;amp;x=1`,
        entity: {
          entity_type: 'slack#/entities/task',
          url,
          external_ref: { id, type: 'card' },
          entity_payload: {
            attributes: { title: { text: 'Autumn poster' }, display_id: id },
            fields: { status: { value: 'In progress', tag_color: 'yellow' } },
            actions: { primary_actions: [{ text: 'Refresh' }, { text: 'Open', url }] },
          },
        },
      },
    ]);
    expect(JSON.stringify(message.entities)).toContain('poster.png');
    finish(world, id);
    await aSecond();
    await me.click({ message, text: 'Refresh' });
    await slack.until(() => textOfMessage(message).includes('Winter poster'), 'the change');
    expect(textOfMessage(message)).toContain('Done');
    expect(message.attachments).toEqual([]);
  });
});

describe('Work Objects', () => {
  it('show three cards of a message in one call, and say how many more it links to', async () => {
    const { world, me } = await worldWithWorkObjects();
    const urls = Array.from({ length: 5 }, () => poster(world).url);
    const message = await postWorkObjects(world, me, urls.join(' '), { cards: 3 });
    expect(JSON.stringify(message.entities.at(-1))).toContain(
      '2 more cards in this message aren’t shown.',
    );
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(1);
  });

  it('aren’t tried for a very long link, since a refusal would turn them off for everybody', async () => {
    const { world, me, cardUrl } = await worldWithWorkObjects();
    // Slack reports each of these characters as five.
    const long = `${poster(world).url}?${'&'.repeat(2_900)}`;
    await postShown(world, me, `${long} ${poster(world).url}`, { cards: 2 });
    await postWorkObjects(world, me, cardUrl('card-1001'));
  });

  it('show a shared card, and Refresh keeps what stands above it', async () => {
    const { world, ann, slack, me } = await worldWithWorkObjects();
    const { id, url } = poster(world);
    const message = await sharedCard(world, id);
    expect(message).toMatchObject({ entities: [{ entity: { url } }] });
    const { text, blocks } = message;
    expect(JSON.stringify(blocks)).toContain(`<@${ann.id}>`);
    finish(world, id);
    await aSecond();
    await me.click({ message, text: 'Refresh' });
    await slack.until(() => textOfMessage(message).includes('Winter poster'), 'the change');
    expect(message).toMatchObject({ text, blocks });
  });

  it('show a confirmation under its sentence', async () => {
    const { world, general, service, slack, me } = await worldWithWorkObjects();
    const message = await sentRequest(world, me, { 'Post in': general });
    const said = () => textOfMessage({ ...message, entities: [] }).split('\n');
    const facts = (status: string) => new RegExp(`${status} · Social media · DR-[0-9A-Z]{8}$`);
    expect(said()[0]).toMatch(/<@\w+> requested \*<.*Spring banner>\*/);
    expect(said().slice(1)).toEqual([expect.stringMatching(facts('To do'))]);
    const shown = JSON.stringify(message.entities);
    expect(shown).not.toMatch(/custom_fields|created_by|display_order/);
    const { id } = service.cards.all().at(-1) ?? { id: '' };
    service.cards.update(id, { status: STATUSES.done });
    for (const name of ['Refresh', 'Open', 'Watch', 'Request again']) expect(shown).toContain(name);
    await me.click({ message, text: 'Refresh' });
    await slack.until(() => facts('Done').test(said()[1] ?? ''), 'the change');
    expect(JSON.stringify(message.entities)).not.toMatch(/custom_fields|created_by|display_order/);
  });

  it('aren’t shown in the composer, and not under links whose cards can’t be shown', async () => {
    const { world, general, slack, me } = await worldWithWorkObjects();
    const preview = await me.compose(general, poster(world).url);
    await slack.until(() => preview.attachments.length > 0, 'the preview');
    expect(preview.entities).toEqual([]);
    const message = await me.post(general, world.cardUrl('no-such-card'));
    await eventsHandled(world);
    expect(message.entities).toEqual([]);
  });
});

describe('a Work Object that Slack refuses', () => {
  it('is shown as blocks at once, and so are others, until a day has passed', async () => {
    const { world, me, pass, slack, cardUrl } = await worldWithWorkObjects();
    const types = slack.state.manifest.entityTypes;
    slack.state.manifest.entityTypes = [];
    const { url } = poster(world);
    await postShown(world, me, url);
    const entityCalls = () =>
      slackCalls(world, 'chat.unfurl').filter(({ args }) => args.metadata !== undefined).length;
    const before = entityCalls();
    expect(before).toBeGreaterThan(0);
    // Remembered, also by other replicas and after a restart.
    slack.state.manifest.entityTypes = types;
    await world.restart();
    await postShown(world, me, url);
    pass(23 * HOUR_MS);
    await postShown(world, me, cardUrl('card-1001'));
    expect(entityCalls()).toBe(before);
    pass(2 * HOUR_MS);
    await postWorkObjects(world, me, cardUrl('card-1002'));
  });

  it('only because of its picture is shown without it, and that isn’t remembered', async () => {
    const { world, me, slack } = await worldWithWorkObjects();
    slack.brokenImages.add('*');
    const message = await postWorkObjects(world, me, poster(world).url);
    expect(JSON.stringify(message.entities)).not.toContain('poster.png');
    slack.brokenImages.clear();
    const other = await postWorkObjects(world, me, poster(world).url);
    expect(JSON.stringify(other.entities)).toContain('poster.png');
  });

  it('only because of the picture of a shared card shows that without it, and isn’t remembered', async () => {
    const { world, me, slack, acme, general } = await worldWithWorkObjects();
    slack.brokenImages.add('*');
    await sharedCard(world, poster(world).id);
    const message = await slack.until(
      () => acme.messages(general).find(({ entities }) => entities.length > 0),
      'the card',
    );
    expect(JSON.stringify(message.entities)).not.toContain('poster.png');
    await slack.idle();
    await postWorkObjects(world, me, world.cardUrl('card-1001'));
  });

  // Whatever Slack calls it: a real app was answered `invalid_arguments` with messages that point into /metadata.
  it('with any code is left out of the preview, the message, and its changes', async () => {
    const error = 'a_code_of_tomorrow';
    const { world, me, slack, service, acme, general, cardUrl } = await worldWithWorkObjects();
    const refuseOnce = (method: string) =>
      slack.faults.add({ method, kind: 'error', error, times: 1 });
    refuseOnce('chat.unfurl');
    await postShown(world, me, cardUrl('card-1002'));
    // It was the reason, so the next card isn't tried.
    await postShown(world, me, cardUrl('card-1005'));
    expect(
      slackCalls(world, 'chat.unfurl').filter(({ args }) => args.metadata !== undefined),
    ).toHaveLength(1);

    await changeSettings(world, {});
    refuseOnce('chat.postMessage');
    await sharedCard(world, service.cards.add({ title: 'Autumn poster' }).id);
    const ofApp = () => acme.messages(general).filter(({ botId }) => botId);
    const shown = (text: string) => ofApp().find((one) => textOfMessage(one).includes(text));
    expect(
      (await slack.until(() => shown('Autumn poster'), 'the card as blocks')).entities,
    ).toEqual([]);
    expect(ofApp()).toHaveLength(1);

    await slack.idle();
    await changeSettings(world, {});
    await sharedCard(world, service.cards.add({ title: 'Winter poster' }).id);
    const message = await slack.until(
      () => ofApp().find(({ entities }) => entities.length > 0),
      'the card as a Work Object',
    );
    await slack.idle();
    refuseOnce('chat.update');
    await me.click({ message, shown: message.entities[0], text: 'Refresh' });
    await slack.until(() => message.entities.length === 0, 'that it isn’t a Work Object any more');
    expect(JSON.stringify(message.blocks)).toContain('Winter poster');
  });

  it('together with the message isn’t the reason, so the next card is a Work Object', async () => {
    const { world, me, slack, general, cardUrl } = await worldWithWorkObjects();
    const cannot = { method: 'chat.unfurl', kind: 'error', error: 'cannot_unfurl_url' } as const;
    const stop = slack.faults.add(cannot);
    const message = await me.post(general, cardUrl('card-1002'));
    await eventsHandled(world);
    expect(message.attachments).toEqual([]);
    expect(slackCalls(world, 'chat.unfurl')).toHaveLength(2);
    stop();
    await postWorkObjects(world, me, cardUrl('card-1005'));
  });

  it('in a message, of which Slack only warns, becomes blocks in the same delivery', async () => {
    const { world, slack, service, acme, general } = await worldWithWorkObjects();
    slack.state.manifest.entityTypes = [];
    await sharedCard(world, service.cards.add({ title: 'Autumn poster' }).id);
    const [message, ...others] = await slack.until(() => {
      const posted = acme.messages(general).filter(({ botId }) => botId);
      return posted.some((one) => textOfMessage(one).includes('Autumn poster')) && posted;
    }, 'the blocks');
    expect(others).toEqual([]);
    expect(message?.entities).toEqual([]);
  });

  describe('in a message that is posted without it, if Slack fails at the change to blocks', () => {
    async function leftOut() {
      const world = await worldWithWorkObjects();
      world.slack.state.manifest.entityTypes = [];
      world.slack.faults.add({ method: 'chat.update', times: 1, kind: 'http', status: 503 });
      return world;
    }

    const logged = ({ logLines }: World) =>
      expect.poll(() => logLines.join('')).toContain('a message stays without its card');

    it('isn’t a reason to post the confirmation again, or elsewhere', async () => {
      const { world, general, me } = await leftOut();
      await sentRequest(world, me, { 'Post in': general });
      await jobsHandled(world, 'announce-request');
      expect(slackCalls(world, 'chat.postMessage')).toHaveLength(1);
      await logged(world);
    });

    it('isn’t a reason to say that the card couldn’t be shared', async () => {
      const { world, acme, ann, service } = await leftOut();
      await sharedCard(world, service.cards.add({ title: 'Autumn poster' }).id);
      await logged(world);
      await world.slack.idle();
      // The reply from which she shared it.
      expect(acme.ephemerals(ann)).toHaveLength(1);
      expect(slackCalls(world, 'chat.postMessage')).toHaveLength(1);
    });
  });
});
