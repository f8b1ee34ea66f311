import type { Exchange } from '../http/exchange.ts';

/** What a gate is told of a call: the client's method, such as `getCard`, and how it is sent. */
export type GatedCall = {
  operation: string;
  method: 'GET' | 'POST';
  /** Ends the waiting for the call, too. */
  signal?: AbortSignal | undefined;
};

/**
 * Makes the call.
 *
 * @param maySend asked right before the first byte leaves; if it says no, nothing is sent
 */
export type MakeCall = (maySend?: () => boolean) => Promise<Exchange>;

/**
 * Stands before every HTTP call of a client, tries again included: makes it, at once or when its turn
 * comes, and gives what came of it.
 *
 * @throws whatever says that the call was not made
 */
export type Gate = (call: GatedCall, make: MakeCall) => Promise<Exchange>;

/** Makes every call at once. */
export const openGate: Gate = (_call, make) => make();
