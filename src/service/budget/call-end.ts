import type { Exchange } from '../http/exchange.ts';

/** How a call ended, for the metrics: the status of its answer, or why there was none. */
export const CALL_ENDS = [
  ...['2xx', '3xx', '401', '403', '404', '429', '4xx', '5xx'],
  ...['network', 'timed_out', 'aborted', 'withheld'],
] as const;
export type CallEnd = (typeof CALL_ENDS)[number];

const HUNDRED = 100;

/** The service may answer with any status, so those without a meaning of their own are counted together. */
export function callEndOf(exchange: Exchange): CallEnd {
  if (exchange.kind === 'fault') return exchange.fault;
  const status = String(exchange.status);
  const classOf = `${Math.floor(exchange.status / HUNDRED)}xx`;
  return (
    CALL_ENDS.find((end) => end === status) ?? CALL_ENDS.find((end) => end === classOf) ?? '5xx'
  );
}
