import type { Scenario } from '../crash/scenario.ts';

const TITLE = 'Spring sale banner';

/** The link is posted again when the card is in memory. @param inBetween runs when the first one is done */
export const linkTwice = (inBetween: () => Promise<unknown>): Scenario => ({
  name: 'a link, posted twice',
  outcomes: ['done'],
  outcomesInTests: ['done'],
  async play(world) {
    const { acme, ann, general, service } = world;
    const card = service.cards.all().find(({ title }) => title === TITLE);
    const post = () => acme.as(ann).post(general, world.cardUrl(card?.id ?? ''));
    const first = await world.act(post);
    await world.idle();
    await inBetween();
    const second = await world.act(post);
    await world.idle();
    return { sent: [], links: [first, second].map((message) => ({ message, title: TITLE })) };
  },
});
