/** The results of one contender: one number per round for each figure. */
type Rounds<Name extends string> = Record<Name, number[]>;

/**
 * Measures contenders side by side: in each round one after the other and then in the opposite order, so that a
 * machine that becomes slower or faster affects them alike. A round's result is the mean of the two. A first round, for
 * warming up, does not count.
 *
 * @param contenders ways of doing the same thing, such as with the bare Bolt app
 */
export async function compare<Name extends string, Figure extends string>(
  contenders: Record<Name, () => Promise<Record<Figure, number>>>,
  { rounds, say }: { rounds: number; say: (progress: string) => void },
): Promise<Record<Name, Rounds<Figure>>> {
  const names = Object.keys(contenders) as Name[];
  const all = Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, Rounds<Figure>>;
  for (let round = 0; round <= rounds; round += 1) {
    const there = new Map<Name, Record<Figure, number>>();
    for (const name of names) there.set(name, await contenders[name]());
    for (const name of names.toReversed()) {
      const back = await contenders[name]();
      if (round === 0) continue;
      for (const figure of Object.keys(back) as Figure[]) {
        const mean = (back[figure] + (there.get(name) ?? back)[figure]) / 2;
        all[name][figure] = [...(all[name][figure] ?? []), mean];
      }
    }
    if (round > 0) say(`round ${round}`);
  }
  return all;
}

/**
 * One contender's figures relative to another's, round by round, so that the machine's influence cancels out.
 */
export function ratioOf(one: readonly number[], other: readonly number[]): number[] {
  return one.map((figure, round) => figure / (other[round] ?? Number.NaN));
}
