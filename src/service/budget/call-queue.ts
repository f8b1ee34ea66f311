import { CALL_KINDS, type CallClass, type CallKind, kindOf } from './call-class.ts';
import type { GatedCall } from './gate.ts';

/** A call that waits for its turn. */
export type WaitingCall = {
  callClass: CallClass;
  call: GatedCall;
  /** When a call may be made for it at the earliest, as far as is known, in ms since 1970. */
  expectedAt: number;
  /** Whether its caller was answered already. */
  isOver: boolean;
  /** Its patience begins to run, unless it did before. */
  wait(): void;
  /** Lets it go out, on a grant of that moment. */
  begin(grantedAt: number): void;
  /** Answers its caller that it is not made. */
  refuse(error: unknown): void;
};

/** Calls with one key that wait for their turn: by kind, then by age. */
export type CallQueue = {
  add(one: WaitingCall): void;
  /** Takes out those for which there is room beside those already taken, the most urgent first. */
  take(hasRoom: (kind: CallKind, taken: readonly WaitingCall[]) => boolean): WaitingCall[];
  remove(one: WaitingCall): void;
  waiting(callClass: CallClass): number;
  /** Those that go before a newcomer in this kind. */
  ahead(kind: CallKind): WaitingCall[];
  isEmpty(): boolean;
};

export function createCallQueue(): CallQueue {
  let waiting: WaitingCall[] = [];
  /** Whoever is put back keeps its age. */
  const ages = new WeakMap<WaitingCall, number>();
  let newest = 0;
  const rankOf = (one: WaitingCall) => CALL_KINDS.indexOf(kindOf(one));
  const ageOf = (one: WaitingCall) => ages.get(one) ?? newest;

  return {
    add(one) {
      newest += 1;
      if (!ages.has(one)) ages.set(one, newest);
      waiting.push(one);
      waiting.sort((a, b) => rankOf(a) - rankOf(b) || ageOf(a) - ageOf(b));
    },
    take(hasRoom) {
      const taken: WaitingCall[] = [];
      const left: WaitingCall[] = [];
      for (const one of waiting) (hasRoom(kindOf(one), taken) ? taken : left).push(one);
      waiting = left;
      return taken;
    },
    remove(one) {
      waiting = waiting.filter((other) => other !== one);
    },
    ahead: (kind) => waiting.filter((one) => rankOf(one) <= CALL_KINDS.indexOf(kind)),
    waiting: (callClass) => waiting.filter((one) => one.callClass === callClass).length,
    isEmpty: () => waiting.length === 0,
  };
}
