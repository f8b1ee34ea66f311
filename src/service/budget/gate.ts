import type { Exchange } from '../http/exchange.ts';
import type { CallClass } from './call-class.ts';

/** A call that passes a gate. */
export type GatedCall = {
  /** The client's method, such as `getCard`. */
  operation: string;
  method: 'GET' | 'POST';
  /** Who waits for the call: a person, unless given. */
  callClass?: CallClass | undefined;
  /** Also ends the wait at the gate. */
  signal?: AbortSignal | undefined;
};

/** @param maySend asked right before the first byte is written; if it returns false, nothing is sent */
export type MakeCall = (maySend?: () => boolean) => Promise<Exchange>;

/**
 * Passed by every HTTP call of a client, including retries. Makes the call when it is allowed.
 *
 * @throws if the call is not allowed
 */
export type Gate = (call: GatedCall, make: MakeCall) => Promise<Exchange>;

/** Makes every call immediately. */
export const openGate: Gate = (_call, make) => make();
