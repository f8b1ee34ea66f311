import type { Told } from '../../stand-ins/slack/people/actor.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import type { Stage } from '../stage.ts';
import type { Look } from '../terminal/look.ts';
import type { Paint } from '../terminal/paint.ts';
import type { Timing } from '../terminal/times.ts';

/** Everything that a step of the walk needs. */
export type Scene = Stage & {
  look: Look;
  print(lines: string | readonly string[]): void;
  /** Real milliseconds since any fixed time. */
  clock(): number;
  /** The measurements of the steps. */
  timings: Timing[];
};

/** Longer lines are hard to read, however wide the terminal is. */
const MOST_COLUMNS = 80;

/**
 * The stage for a walk.
 *
 * @param options.columns of the terminal; undefined if there is none
 */
export function createScene(
  stage: Stage,
  options: { paint: Paint; columns: number | undefined; print: Scene['print']; timeZone?: string },
): Scene {
  const { users, channels } = stage.slack.state;
  const { paint, columns = MOST_COLUMNS, print, timeZone } = options;
  const nameOf = (id: string) => {
    const channel = channels.get(id);
    return channel ? `#${channel.name}` : `@${users.get(id)?.realName ?? id}`;
  };
  const look = { paint, columns: Math.min(columns, MOST_COLUMNS), nameOf, timeZone };
  return { ...stage, look, print, clock: () => performance.now(), timings: [] };
}

/** A person using this scene's Slack. */
export const personIn = ({ acme }: Scene, user: Stage['ann']): Person => acme.as(user);

/** @throws if Slack got no acknowledgment, saying what it got instead */
export function mustBeAcknowledged(told: Told | undefined, what: string): Told {
  if (told?.acknowledged) return told;
  const attempt = told?.delivery.attempts[0];
  const got = attempt?.error ?? 'nothing was sent';
  throw new Error(`The app did not acknowledge ${what}: ${got} ${attempt?.status ?? ''}`.trim());
}

/** Waits for a value, and measures how long that took since `since`. */
export async function shownAfter<Value>(
  { slack, clock }: Scene,
  since: number,
  read: () => Value,
  what: string,
) {
  const value = await slack.until(read, what);
  return { value, ms: clock() - since };
}
