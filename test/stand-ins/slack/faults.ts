import type { JsonObject } from './json.ts';
import type { SlackState } from './state/state.ts';

/** What goes wrong with a Web API call. */
export type FaultKind =
  /** 429 with `Retry-After`; not executed. */
  | { kind: 'rate_limited'; retryAfter: number | string }
  /** `{ok: false, error}`; not executed. */
  | { kind: 'error'; error: string }
  /** That HTTP status with a page of HTML; not executed. */
  | { kind: 'http'; status: number }
  /** Executed after a wait. */
  | { kind: 'stall'; ms: number }
  /** The connection is cut; not executed. */
  | { kind: 'drop' }
  /** Executed; the answer says this instead, field by field. */
  | { kind: 'altered_answer'; changes: JsonObject }
  /** Executed, then the connection is cut: the caller can't know. */
  | { kind: 'lost_answer' }
  /** Never answered; not executed. */
  | { kind: 'hang' };

type Fault = FaultKind & {
  /** One Web API method, or every one. */
  method?: string;
  workspaceId?: string;
  /** How many calls it hits; every one unless given. */
  times?: number;
};

export interface Faults {
  /** Adds a fault; returns what takes it away again. */
  add(fault: Fault): () => void;
  clear(): void;
  /**
   * Enforces Slack's rate of a method, calls a minute and workspace, by the stand-in's clock;
   * undefined lifts it.
   */
  limit(method: string, perMinute: number | undefined): void;
}

export interface FaultBook extends Faults {
  /** The fault that this call meets, used up by that. */
  take(method: string, workspaceId: string | undefined): FaultKind | undefined;
}

const WINDOW_MS = 60_000;
const MS_PER_SECOND = 1000;

/** Trouble on demand. */
export function createFaults(state: Pick<SlackState, 'clock'>): FaultBook {
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
    const retryAfter = Math.ceil((oldest + WINDOW_MS - now) / MS_PER_SECOND);
    return { kind: 'rate_limited', retryAfter };
  }

  return {
    add(fault) {
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
    limit(method, perMinute) {
      if (perMinute === undefined) limits.delete(method);
      else limits.set(method, perMinute);
    },
    take(method, workspaceId) {
      const entry = entries.find(
        ({ fault, left }) =>
          left > 0 &&
          (fault.method ?? method) === method &&
          (fault.workspaceId ?? workspaceId) === workspaceId,
      );
      if (!entry) return overLimit(method, workspaceId);
      entry.left -= 1;
      return entry.fault;
    },
  };
}
