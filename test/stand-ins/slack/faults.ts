import type { JsonObject } from './json.ts';
import type { SlackState } from './state/state.ts';

export type FaultKind =
  /** 429 with `Retry-After`; not executed. */
  | { kind: 'rate_limited'; retryAfter: number | string }
  /** `{ok: false, error}`; not executed. */
  | { kind: 'error'; error: string }
  /** That HTTP status with an HTML page, or what else is in its place; not executed. */
  | { kind: 'http'; status: number; body?: string }
  | { kind: 'stall'; ms: number }
  /** The connection is cut; not executed. */
  | { kind: 'drop' }
  /** Executed; the answer says this instead, field by field. */
  | { kind: 'altered_answer'; changes: JsonObject }
  /** Executed; answered only then. */
  | { kind: 'held_answer'; until: Promise<unknown> }
  /** Executed, then the connection is cut, so the caller can't know. */
  | { kind: 'lost_answer' }
  /** Executed; the answer is complete for HTTP, but only that many characters of its JSON. */
  | { kind: 'truncated_answer'; length: number }
  /** Only for downloads of files: the connection is cut after that many bytes. */
  | { kind: 'cut_after'; bytes: number }
  /** Only for downloads of files: no faster than that. */
  | { kind: 'paced'; bytesPerSecond: number }
  /** Never answered; not executed. */
  | { kind: 'hang' };

type Fault = FaultKind & {
  method?: string;
  times?: number;
};

const WINDOW_MS = 60_000;

export type Faults = ReturnType<typeof createFaults>;

export function createFaults(state: Pick<SlackState, 'clock'>) {
  let entries: { fault: Fault; left: number }[] = [];
  const limits = new Map<string, number>();
  const calls = new Map<string, number[]>();

  function overLimit(method: string, workspaceId: string | undefined): FaultKind | undefined {
    const limit = limits.get(method);
    if (limit === undefined) return undefined;
    const now = state.clock().getTime();
    const key = `${method} ${workspaceId}`;
    const recent = (calls.get(key) ?? []).filter((at) => now - at < WINDOW_MS);
    const [oldest] = recent;
    calls.set(key, recent);
    if (recent.length < limit || oldest === undefined) {
      recent.push(now);
      return undefined;
    }
    const retryAfter = Math.ceil((oldest + WINDOW_MS - now) / 1_000);
    return { kind: 'rate_limited', retryAfter };
  }

  return {
    add(fault: Fault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      entries.push(entry);
      return () => {
        entries = entries.filter((other) => other !== entry);
      };
    },
    clear() {
      entries = [];
      limits.clear();
    },
    /** Slack's limit for a method, in calls per minute and workspace, by the stand-in's clock; undefined lifts it. */
    limit(method: string, perMinute: number | undefined) {
      if (perMinute === undefined) limits.delete(method);
      else limits.set(method, perMinute);
    },
    take(method: string, workspaceId: string | undefined) {
      const entry = entries.find(
        ({ fault, left }) => left > 0 && (fault.method ?? method) === method,
      );
      if (!entry) return overLimit(method, workspaceId);
      entry.left -= 1;
      return entry.fault;
    },
  };
}
