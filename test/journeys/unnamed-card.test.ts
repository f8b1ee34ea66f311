import { describe, expect } from 'vitest';
import type { Message } from '../stand-ins/slack/state/model.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { databaseOf } from './database-rows.ts';
import { askedAbout, openFormFrom, sentRequest } from './form.ts';
import { changeSettings, jobsHandled } from './links.ts';
import { searches } from './searching.ts';
import { ended, runStep } from './workflow-step.ts';
import { it, startWorld, type World } from './world.ts';

const CARD = 'Card link or ID';

/** The answer to `POST /card` doesn't name the card. */
async function worldWithout(project?: string) {
  const world = await startWorld();
  if (project) await changeSettings(world, { 'Project ID': project });
  world.service.answers.createCard = 'message-only';
  return world;
}

const says = ({ slack }: World, message: Message, text: string) =>
  slack.until(() => textOfMessage(message).includes(text), text);
const createdIn = ({ service }: World) =>
  service.calls({ operation: 'createCard' })[0]?.createdCardId ?? '';
const watchers = (world: World) =>
  databaseOf(world).selectFrom('card_watchers').select(['cardId', 'ts']).execute();

describe('a card that the answer to its creation doesn’t name', () => {
  it('is found before it is confirmed, and watched', async () => {
    const world = await worldWithout('project-1');
    const searched = searches(world);
    const posted = await sentRequest(world, world.me);
    await jobsHandled(world, 'announce-request');
    expect(textOfMessage(posted)).toContain(world.cardUrl(createdIn(world)));
    expect(textOfMessage(posted)).not.toContain('We don’t have this card’s link');
    expect(searches(world) - searched).toBe(1);
    expect(await watchers(world)).toEqual([{ cardId: createdIn(world), ts: posted.ts }]);
  });

  it('is given to the workflow that created it', async () => {
    const world = await worldWithout('project-1');
    const { execution } = runStep(world);
    await ended(world, execution);
    const cardId = createdIn(world);
    expect(execution).toMatchObject({
      state: 'completed',
      outputs: { card_id: cardId, card_link: world.cardUrl(cardId) },
    });
  });

  it('is looked for in the dashboard without a project', async () => {
    const world = await worldWithout();
    const posted = await sentRequest(world, world.me);
    expect(textOfMessage(posted)).toContain('We don’t have this card’s link yet.');
    expect(textOfMessage(posted)).toContain('Find it in your dashboard');
    expect(JSON.stringify(posted.blocks)).toContain('"url":"https://app.example.com"');
  });

  it('is found with its link, which its author gives', async () => {
    const { world, acme, service, cardUrl, me } = await worldWithout();
    const posted = await sentRequest(world, me);
    await me.close({ all: true });
    await openFormFrom(world, me, { message: posted, text: 'Found it' }, CARD);
    await me.fill({ [CARD]: cardUrl(createdIn(world)) });
    await me.submit();
    await says(world, posted, cardUrl(createdIn(world)));
    expect(textOfMessage(posted)).not.toContain('Found it');
    expect(await watchers(world)).toMatchObject([{ ts: posted.ts }]);
    expect(acme.messages(world.general).filter(({ botId }) => botId)).toHaveLength(1);
    expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
  });

  it('is found when anyone posts its link, and its confirmation is redrawn', async () => {
    const { world, general, cardUrl, me, ada } = await worldWithout();
    const posted = await sentRequest(world, me);
    await jobsHandled(world, 'announce-request');
    await ada.post(general, cardUrl(createdIn(world)));
    await says(world, posted, cardUrl(createdIn(world)));
    expect(await watchers(world)).toEqual([{ cardId: createdIn(world), ts: posted.ts }]);
  });

  it('isn’t taken from a brief that quotes its reference', async () => {
    const world = await worldWithout();
    const { general, service, slack, cardUrl, me, ada } = world;
    const posted = await sentRequest(world, me);
    const reference = /DR-\w{8}/.exec(textOfMessage(posted))?.[0] ?? '';
    const other = service.cards.add({
      title: 'Other',
      description: `<p>Like ${reference}</p><p>Requested in Slack by Bea · DR-00000000</p>`,
    });
    const link = await ada.post(general, cardUrl(other.id));
    await slack.until(() => link.attachments.length > 0, 'the preview');
    expect(await watchers(world)).toEqual([]);
  });
});

it('a request in doubt is confirmed as soon as anyone posts its card’s link', async () => {
  const { world, acme, general, service, slack, ada, me, cardUrl } = await startWorld();
  service.faults.add({ operation: 'createCard', times: 1, kind: 'drop-after-executing' });
  await askedAbout(world, me);
  await ada.post(general, cardUrl(createdIn(world)));
  const isApps = ({ botId }: Message) => botId !== undefined;
  const confirmation = await slack.until(() => acme.messages(general).find(isApps), 'the news');
  expect(textOfMessage(confirmation)).toContain(cardUrl(createdIn(world)));
  expect(service.calls({ operation: 'createCard' })).toHaveLength(1);
});
