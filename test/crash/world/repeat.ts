/** More than the one or two crashes of a run can cause. */
const MOST_TRIES = 10;

/** Repeats something until it works, as people do when they get no answer. */
export async function repeat(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) if (await attempt()) return;
  throw new Error(`The app never accepted ${what}.`);
}
