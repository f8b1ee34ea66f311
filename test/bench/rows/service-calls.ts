import { type Chance, chanceOf } from '../../faults/random.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import { timeDeliveries } from './deliveries.ts';

const LINKS = 500;
const CARDS = 50;
/** So that all are posted well within the minute for which a card is cached. */
const LINKS_A_SECOND = 25;
const FIRST_CARD = 9_001;

/** Chooses the card of the next link. */
type Draw = (chance: Chance) => number;

const DRAWS: Record<string, Draw> = {
  uniform: (chance) => chance.below(CARDS),
  // Some cards are popular: half of all links name an eighth of the cards.
  skewed: (chance) => Math.floor(CARDS * chance.next() ** 3),
};

async function run({ stage, seed, rounds, say }: RowOptions): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const [name, draw] of Object.entries(DRAWS)) {
    const overBound: number[] = [];
    const calls: number[] = [];
    for (let round = 1; round <= Math.min(rounds, MOST_ROUNDS); round += 1) {
      const { made, distinct } = await countCalls(stage, draw, chanceOf(seed + round));
      calls.push(made);
      overBound.push(made / distinct);
      say(`${name}, round ${round}: ${made} calls for ${distinct} cards`);
    }
    measured.push(
      figure(`${name}: calls relative to the minimum`, 'ratio', overBound, atMost(1)),
      figure(`${name}: calls for ${LINKS} links`, 'calls', calls),
    );
  }
  return measured;
}
/** No figure here depends on time: the same calls are made every time. */
const MOST_ROUNDS = 2;

async function countCalls(stage: RowOptions['stage'], draw: Draw, chance: Chance) {
  const service = await stage.openService();
  for (let card = 0; card < CARDS; card += 1) {
    service.cards.add({ id: `card-${FIRST_CARD + card}`, title: `Card ${card}` });
  }
  const app = await stage.start(
    stage.app({ service, name: `calls-${service.url.length}-${Date.now()}` }),
  );
  const cards = Array.from({ length: LINKS }, () => FIRST_CARD + draw(chance));
  await timeDeliveries(stage.load, app, {
    ...{ kind: 'link', until: 'chat.unfurl', perSecond: LINKS_A_SECOND, count: LINKS },
    urls: cards.map((card) => `https://app.example.com/card/card-${card}`),
  });
  const made = service.calls({ operation: 'getCard' }).length;
  return { made, distinct: new Set(cards).size };
}

export const serviceCallsRow: Row = {
  id: 'calls',
  title: 'Calls to the service for 500 links to 50 cards',
  how: 'All within the minute for which a card is cached. The minimum is one call per card.',
  run,
};
