import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_ENTRY } from './app-process.ts';
import { postSteadily, showsCard } from './posting.ts';
import { chanceOf } from './random.ts';
import { moveClocks, SECOND_MS, type Setting, withSetting } from './setting.ts';

/** What people exhaust by asking for card after card: the calls per minute, or the slots of a slow service. */
export type Overload = { of: 'budget' | 'slots'; requestsPerMinute: number; readTakesMs: number };

export const OVERLOADS: readonly Overload[] = [
  { of: 'budget', requestsPerMinute: 60, readTakesMs: 0 },
  { of: 'slots', requestsPerMinute: 6_000, readTakesMs: 4_000 },
];

/** The outcomes while people asked for more than there was. */
export type OverloadSeen = {
  readsForPeople: number;
  readsForLinks: number;
  /** Links that were posted, and those of them that show their cards. */
  links: number;
  shown: number;
};

/** Links' share of the calls, 0 to 1. */
export const shareOfLinks = ({ readsForPeople, readsForLinks }: OverloadSeen): number =>
  readsForLinks / (readsForPeople + readsForLinks);

const PEOPLE = 20;
/** By the accelerated clock: four times what the service allows, and as much as it allows. */
const COMMANDS_A_SECOND = 4;
const LINKS_A_SECOND = 1;
/** This clock is this many times as fast as the real one. */
const TIMES_AS_FAST = 10;

/** Lets people ask for one card after the other, until told to stop. */
function askForCards({ acme, people, general }: Setting, newCard: () => string) {
  const asked: Promise<unknown>[] = [];
  const timer = setInterval(
    () => {
      const user = people[asked.length % people.length];
      if (user) asked.push(acme.as(user).command(general, `status ${newCard()}`));
    },
    SECOND_MS / COMMANDS_A_SECOND / TIMES_AS_FAST,
  );
  return async () => {
    clearInterval(timer);
    await Promise.all(asked);
  };
}

/**
 * Lets people ask for one card after the other while others post links, each to another card.
 *
 * @param options.lastsS how long, in seconds of the accelerated clock
 */
export function overload(
  { of, requestsPerMinute, readTakesMs }: Overload,
  { seed, lastsS }: { seed: number; lastsS: number },
): Promise<OverloadSeen> {
  return withSetting({ seed, people: PEOPLE, requestsPerMinute }, async (setting) => {
    const { service } = setting;
    if (readTakesMs > 0) {
      const ms = readTakesMs / TIMES_AS_FAST;
      service.faults.add({ operation: 'getCard', kind: 'stall', ms });
    }
    const app = await setting.start({ entry: CLOCK_ENTRY });
    const newCard = () => service.cards.add({ title: `Card of ${of}` }).id;
    const forLinks = new Set<string>();
    const links = postSteadily(setting, chanceOf(seed), {
      aSecond: LINKS_A_SECOND * TIMES_AS_FAST,
      nextCard() {
        const id = newCard();
        forLinks.add(id);
        return id;
      },
    });
    const endCommands = askForCards(setting, newCard);
    for (let second = 0; second < lastsS; second += 1) {
      await sleep(SECOND_MS / TIMES_AS_FAST);
      await moveClocks(setting, app, (second * SECOND_MS * (TIMES_AS_FAST - 1)) / TIMES_AS_FAST);
    }
    await endCommands();
    const posted = await links.end();
    const reads = service.calls({ operation: 'getCard' });
    const readsForLinks = reads.filter(({ path }) => forLinks.has(path.split('/').at(-1) ?? ''));
    return {
      readsForPeople: reads.length - readsForLinks.length,
      readsForLinks: readsForLinks.length,
      links: posted.length,
      shown: posted.filter((link) => showsCard(setting, link)).length,
    };
  });
}
