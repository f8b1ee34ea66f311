import { median } from '../faults/figures.ts';

/** One way of doing the same thing, such as with the bare Bolt app; gives a figure. */
export type Contender = () => Promise<number>;

/** What one contender gave, a figure a round. */
export type Rounds = number[];

/**
 * Measures contenders side by side: in each round one after the other and then in the opposite order, so
 * that a machine that grows slower or faster meanwhile treats them alike. A round's figure is the mean of
 * the two.
 *
 * @param onRound hears of each round that is done
 */
export async function inMirroredOrder<Name extends string>(
  contenders: Record<Name, Contender>,
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<Record<Name, Rounds>> {
  const names = Object.keys(contenders) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    Rounds
  >;
  for (let round = 1; round <= rounds; round += 1) {
    const first = new Map<Name, number>();
    for (const name of names) first.set(name, await contenders[name]());
    for (const name of names.toReversed()) {
      all[name].push(((first.get(name) ?? Number.NaN) + (await contenders[name]())) / 2);
    }
    onRound(round);
  }
  return all;
}

/** The median of a figure over all rounds, and between which values it lay. */
export type Spread = { median: number; lowest: number; highest: number };

export function spreadOf(rounds: Rounds): Spread {
  return { median: median(rounds), lowest: Math.min(...rounds), highest: Math.max(...rounds) };
}

/** One contender's figures over another's, round by round: what the machine did to both cancels out. */
export function ratioOf(one: Rounds, other: Rounds): Rounds {
  return one.map((figure, round) => figure / (other[round] ?? Number.NaN));
}
