import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import type { CardStatus } from '../../stand-ins/design-service/resources.ts';
import type { Chance } from '../random.ts';
import { HOUR_MS, MINUTE_MS } from '../setting.ts';

/** A change that somebody at the design service makes to a card. */
export type TeamChange = { at: number } & (
  | { status: CardStatus }
  | { file: string }
  | { due: Date }
);

type State = Exclude<keyof typeof STATUSES, 'draft'>;

const DAY_MS = 24 * HOUR_MS;
const WORK_BEGINS = 9;
const WORK_ENDS = 18;
/** How long a card stays in a state while people work, on average, in hours. */
const STAYS: Record<State, number> = {
  toDo: 4,
  inProgress: 2,
  inReview: 2.5,
  revision: 1.5,
  done: 20,
};
/** Of eight cards. */
const FIRST_STATES = { toDo: 3, inProgress: 2, inReview: 2, done: 1 } as const;

export function firstStateOf(chance: Chance): State {
  let rest = chance.below(8);
  for (const [state, cards] of Object.entries(FIRST_STATES)) {
    rest -= cards;
    if (rest < 0) return state as State;
  }
  return 'toDo';
}

/** Files minutes apart, a review, a revision; in working hours. @param zone the offset from UTC, in hours */
export function planCard(
  chance: Chance,
  { state, zone, from, until }: { state: State; zone: number; from: number; until: number },
): TeamChange[] {
  const changes: TeamChange[] = [];
  let now: State = state;
  let at = from;
  let files = 0;
  let due = 0;
  for (;;) {
    at = workingTime(at - Math.log(1 - chance.next()) * STAYS[now] * HOUR_MS, zone, chance);
    if (at >= until) return changes.filter((change) => change.at < until);
    if (chance.is(0.1)) {
      const day = Math.floor(at / DAY_MS) + 1 + chance.below(20);
      // The same day again would be no change.
      due = day === due ? day + 1 : day;
      changes.push({ at, due: new Date(due * DAY_MS) });
      continue;
    }
    if (now === 'inProgress' || now === 'revision') {
      for (let left = 1 + chance.below(3); left > 0; left -= 1) {
        files += 1;
        changes.push({ at, file: `design-${files}.png` });
        at += (2 + chance.below(6)) * MINUTE_MS;
      }
    }
    now = nextState(now, chance);
    changes.push({ at, status: STATUSES[now] });
  }
}

function nextState(state: State, chance: Chance): State {
  switch (state) {
    case 'toDo':
      return 'inProgress';
    case 'inProgress':
    case 'revision':
      return 'inReview';
    case 'inReview':
      return chance.is(0.6) ? 'done' : 'revision';
    case 'done':
      return 'revision';
  }
}

/** The same moment if people work then, otherwise some time after they begin again. */
function workingTime(at: number, zone: number, chance: Chance): number {
  const local = at + zone * HOUR_MS;
  const hour = (local % DAY_MS) / HOUR_MS;
  if (hour >= WORK_BEGINS && hour < WORK_ENDS) return at;
  const midnight = local - (local % DAY_MS) + (hour >= WORK_ENDS ? DAY_MS : 0);
  return midnight + WORK_BEGINS * HOUR_MS + chance.next() * 2 * HOUR_MS - zone * HOUR_MS;
}
