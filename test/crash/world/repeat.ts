/** People give up sometime, but not over the one or two crashes of a run. */
const MOST_TRIES = 10;

/** Does something until it works, as people do with what is not answered. */
export async function repeat(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) if (await attempt()) return;
  throw new Error(`The app never took ${what}.`);
}
