import type { Told } from '../../stand-ins/slack/people/actor.ts';
import type { Stage } from '../stage.ts';
import type { NameOf } from './shown.ts';

export type Scene = Stage & { nameOf: NameOf; print(lines: string | readonly string[]): void };

/** The stage for a walk, which says nothing by default. */
export function createScene(stage: Stage, print: Scene['print'] = () => undefined): Scene {
  const { users, channels } = stage.slack.state;
  const nameOf = (id: string) => {
    const channel = channels.get(id);
    return channel ? `#${channel.name}` : `@${users.get(id)?.realName ?? id}`;
  };
  return { ...stage, nameOf, print };
}

export const inMs = (ms: number): string => `${Math.max(1, Math.round(ms))} ms`;

/** @throws if Slack got no acknowledgment, saying what it got instead */
export function mustBeAcknowledged(told: Told | undefined, what: string): Told {
  if (told?.acknowledged) return told;
  const attempt = told?.delivery.attempts[0];
  const got = attempt?.error ?? 'nothing was sent';
  throw new Error(`The app did not acknowledge ${what}: ${got} ${attempt?.status ?? ''}`.trim());
}

/** Waits for a value, and measures how long that took since `since`. */
export async function shownAfter<Value>(
  { slack }: Scene,
  since: number,
  read: () => Value,
  what: string,
) {
  const value = await slack.until(read, what);
  return { value, ms: performance.now() - since };
}
