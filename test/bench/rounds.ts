import { median } from '../faults/figures.ts';

/** The results of one contender: one number per round for each figure. */
export type Rounds<Name extends string> = Record<Name, number[]>;

/**
 * Measures contenders side by side: in each round one after the other and then in the opposite order, so that a
 * machine that becomes slower or faster affects them alike. A round's result is the mean of the two.
 *
 * @param contenders ways of doing the same thing, such as with the bare Bolt app
 * @param onRound is called after each round
 */
export async function inMirroredOrder<Name extends string, Figure extends string>(
  contenders: Record<Name, () => Promise<Record<Figure, number>>>,
  rounds: number,
  onRound: (round: number) => void = () => undefined,
): Promise<Record<Name, Rounds<Figure>>> {
  const names = Object.keys(contenders) as Name[];
  const all: Partial<Record<Name, Rounds<Figure>>> = {};
  for (let round = 1; round <= rounds; round += 1) {
    const there = new Map<Name, Record<Figure, number>>();
    for (const name of names) there.set(name, await contenders[name]());
    for (const name of names.toReversed()) {
      const back = await contenders[name]();
      all[name] = withRound(all[name], meanOf(there.get(name) ?? back, back));
    }
    onRound(round);
  }
  return all as Record<Name, Rounds<Figure>>;
}

function meanOf<Figure extends string>(
  one: Record<Figure, number>,
  other: Record<Figure, number>,
): Record<Figure, number> {
  const names = Object.keys(one) as Figure[];
  return Object.fromEntries(names.map((name) => [name, (one[name] + other[name]) / 2])) as Record<
    Figure,
    number
  >;
}

function withRound<Figure extends string>(
  rounds: Rounds<Figure> | undefined,
  figures: Record<Figure, number>,
): Rounds<Figure> {
  const names = Object.keys(figures) as Figure[];
  return Object.fromEntries(
    names.map((name) => [name, [...(rounds?.[name] ?? []), figures[name]]]),
  ) as Rounds<Figure>;
}

/** The median of a figure over all rounds, with the lowest and highest. */
export type Spread = { median: number; lowest: number; highest: number };

export function spreadOf(rounds: readonly number[]): Spread {
  return { median: median(rounds), lowest: Math.min(...rounds), highest: Math.max(...rounds) };
}

/**
 * One contender's figures relative to another's, round by round, so that the machine's influence cancels out.
 */
export function ratioOf(one: readonly number[], other: readonly number[]): number[] {
  return one.map((figure, round) => figure / (other[round] ?? Number.NaN));
}
