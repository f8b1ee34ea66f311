import type { Scenario } from './scenario.ts';

const TITLE = 'Spring sale banner';

/** Somebody posts a link to a card. */
export const link: Scenario = {
  name: 'a link whose card is read and shown',
  outcomes: ['done'],
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ann, general, service } = world;
    const card = service.cards.all().find(({ title }) => title === TITLE);
    const post = () => acme.as(ann).post(general, world.cardUrl(card?.id ?? ''));
    const message = await world.act(post);
    return { sent: [], links: [{ message, title: TITLE }] };
  },
};
