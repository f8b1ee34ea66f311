import { setTimeout as sleep } from 'node:timers/promises';
import type { AppProcess } from '../app-process.ts';
import { closeForms, type Order, orderAll, prepareAll } from '../ordering.ts';
import { asksItsAuthor, eventually, messagesAbout } from '../outcomes.ts';
import type { Chance } from '../random.ts';
import type { Setting } from '../setting.ts';
import type { DatabaseFault } from './database-faults.ts';
import { cardsBeginning, type Deed, decision, link, submission } from './deeds.ts';

export type EpisodeCounts = {
  'taken and done': number;
  'refused, repeated and done': number;
  'silent losses': number;
  doubled: number;
  'answers later than 3 s': number;
  crashes: number;
};

/** Forms and links of each episode; the first two people of it also decide about earlier requests. */
export const FORMS = 6;
const LINKS = 6;
/** Some people act just before it begins, so that their work is under way when it does. */
const BEFORE_MS = 300;
const BURST_MS = 1_500;
const SLOW_SERVICE_MS = 800;
const REPEATS = 5;
const REPEAT_AFTER_MS = 1_000;
const DONE_WITHIN_MS = 40_000;
const PATIENCE_MS = 20_000;

/**
 * People order, post links and decide while the database fails; when it works again, they and Slack
 * repeat what was refused.
 *
 * @returns what became of all, and the app that runs now
 */
export async function episode(
  setting: Setting,
  {
    app,
    fault,
    chance,
    name,
  }: { app: AppProcess; fault: DatabaseFault; chance: Chance; name: string },
): Promise<{ counts: EpisodeCounts; app: AppProcess; lost: string[] }> {
  const { slack, service, people } = setting;
  const [one, two] = await inDoubt(setting, [`${name} doubt 1`, `${name} doubt 2`]);
  const titles = Array.from({ length: FORMS }, (_, index) => `${name} form ${index + 1}`);
  const orders = await prepareAll(setting, titles);
  const poster = people[0] ?? setting.admin;
  const deeds: Deed[] = [
    ...orders.map((order) => submission(setting, order)),
    ...Array.from({ length: LINKS }, () =>
      link(setting, poster, service.cards.add({ title: `${name} card` }).id),
    ),
    ...(one ? [decision(setting, one.order, one.question, 'Send again')] : []),
    ...(two ? [decision(setting, two.order, two.question, 'It is there')] : []),
  ];
  service.faults.add({
    operation: 'createCard',
    kind: 'stall',
    ms: chance.below(SLOW_SERVICE_MS),
    times: FORMS / 2,
  });
  const from = slack.deliveries.length;

  // All at once, or now one and now another.
  const within = chance.is(0.5) ? BURST_MS : BEFORE_MS + fault.lastsMs;
  const acting = deeds.map(async (deed) => {
    await sleep(chance.below(within));
    await deed.attempt();
  });
  await sleep(BEFORE_MS);
  const repair = await fault.begin(setting, app);
  await sleep(fault.lastsMs);
  const crashed = app.hasEnded();
  const running = await repair();
  await Promise.all(acting);

  const refused = new Set<Deed>();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const again = deeds.filter((deed) => deed.isRefused());
    for (const deed of again) refused.add(deed);
    await Promise.all(again.map((deed) => deed.attempt()));
    await sleep(REPEAT_AFTER_MS);
  }
  await eventually(() => deeds.every((deed) => deed.isDone()), DONE_WITHIN_MS);
  await Promise.all(orders.map(({ by }) => closeForms(by)));

  const done = deeds.filter((deed) => deed.isDone());
  const lost = deeds.filter((deed) => !deed.isDone());
  return {
    app: running,
    lost: lost.map(({ what }) => what),
    counts: {
      'taken and done': done.filter((deed) => !refused.has(deed)).length,
      'refused, repeated and done': done.filter((deed) => refused.has(deed)).length,
      'silent losses': lost.length,
      // Whatever its author called it in the meantime, a form is one request.
      doubled: titles.filter((title) => cardsBeginning(setting, title) > 1).length,
      'answers later than 3 s': slack.deliveries
        .slice(from)
        .flatMap(({ attempts }) => attempts)
        .filter(({ error }) => error === 'timeout').length,
      crashes: crashed ? 1 : 0,
    },
  };
}

/** Orders whose authors are asked what to do. */
async function inDoubt(setting: Setting, titles: string[]) {
  const { service, slack } = setting;
  service.faults.add({
    operation: 'createCard',
    kind: 'drop-after-executing',
    times: titles.length,
  });
  const orders = await orderAll(setting, titles);
  return Promise.all(
    orders.map(async (order: Order) => {
      const find = () => messagesAbout(setting, order).find(asksItsAuthor);
      const question = await slack.until(find, `the question about ${order.title}`, PATIENCE_MS);
      await closeForms(order.by);
      return { order, question };
    }),
  );
}
