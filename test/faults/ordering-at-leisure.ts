import { setTimeout as sleep } from 'node:timers/promises';
import { closeForms, type Order, prepareOrder, submit } from './ordering.ts';
import { countOutcomes, creations, eventually } from './outcomes.ts';
import type { Chance } from './random.ts';
import type { Setting } from './setting.ts';

/** Between two forms of one person, at most. */
const THINKS_MS = 2_000;
const PATIENCE_MS = 60_000;

/** What a stretch of time was like for those who ordered in it; times in ms. */
export type Phase = {
  orders: Order[];
  openMs: number[];
  acknowledgedMs: number[];
  deliveredMs: number[];
  /** For each order, how many reads for links began between Send and its own call. */
  letPast: number[];
};

/**
 * Has everybody open, fill in and send forms at random moments, until there were so many, and waits until
 * each is a card.
 */
export async function orderAtLeisure(
  setting: Setting,
  chance: Chance,
  count: number,
  name: string,
): Promise<Phase> {
  const { slack, acme, people } = setting;
  const phase: Phase = { orders: [], openMs: [], acknowledgedMs: [], deliveredMs: [], letPast: [] };
  let begun = 0;
  const callsBefore = slack.apiCalls.length;
  await Promise.all(
    people.map(async (user) => {
      const by = acme.as(user);
      while (begun < count) {
        begun += 1;
        const title = `${name} ${begun}`;
        await sleep(chance.below(THINKS_MS));
        await closeForms(by);
        const order = await prepareOrder(setting, by, title);
        const { told } = await submit(order);
        phase.orders.push(order);
        phase.acknowledgedMs.push(told?.ms ?? Number.POSITIVE_INFINITY);
      }
    }),
  );
  await eventually(
    () => countOutcomes(setting, phase.orders).ok === phase.orders.length,
    PATIENCE_MS,
  );
  const opens = slack.apiCalls.slice(callsBefore).filter(({ method }) => method === 'views.open');
  // A trigger's id begins with the moment at which the stand-in issued it, in ms.
  phase.openMs = opens.map(
    ({ at, args }) => at.getTime() - Number.parseInt(String(args.trigger_id), 10),
  );
  const ways = phase.orders.map((order) => wayToService(setting, order));
  phase.deliveredMs = ways.map(({ ms }) => ms);
  phase.letPast = ways.map(({ reads }) => reads);
  return phase;
}

/** From pressing Send until the service had the card: how long, and what it was asked in between. */
function wayToService(setting: Setting, { title, submittedAt }: Order) {
  const made = creations(setting).find((creation) => creation.title === title);
  if (!made) return { ms: Number.POSITIVE_INFINITY, reads: Number.POSITIVE_INFINITY };
  const pressedAt = performance.timeOrigin + (submittedAt ?? 0);
  const arrivedAt = made.at.getTime();
  const reads = setting.service
    .calls({ operation: 'getCard' })
    .filter(({ at }) => at.getTime() > pressedAt && at.getTime() < arrivedAt);
  return { ms: arrivedAt - pressedAt, reads: reads.length };
}
