import { CALL_KINDS, type CallClass, type CallKind, kindOf } from './call-class.ts';
import type { GatedCall } from './gate.ts';

/** A call that waits for a slot or for budget. */
export type WaitingCall = {
  callClass: CallClass;
  call: GatedCall;
  /** The earliest time at which it may be made, as far as known, in ms since 1970. */
  expectedAt: number;
  /** Whether it has begun or was refused. */
  isOver: boolean;
  /** Starts its timeout, unless it is running. */
  wait(): void;
  begin(grantedAt: number): void;
  refuse(error: unknown): void;
};

/** The waiting calls of one key, by kind, then by age. */
export type CallQueue = {
  add(one: WaitingCall): void;
  /** Removes and returns the calls for which there is room, the most urgent first. */
  take(hasRoom: (kind: CallKind, taken: readonly WaitingCall[]) => boolean): WaitingCall[];
  remove(one: WaitingCall): void;
  waiting(callClass: CallClass): number;
  /** The calls that go before a new one of this kind. */
  ahead(kind: CallKind): WaitingCall[];
  isEmpty(): boolean;
};

export function createCallQueue(): CallQueue {
  let waiting: WaitingCall[] = [];
  /** A call that is added again keeps its age. */
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
