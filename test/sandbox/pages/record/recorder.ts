import type { LedgerEntry } from '../../../stand-ins/design-service/ledger.ts';
import type { Reply } from '../../../stand-ins/design-service/replies.ts';
import type { DesignService } from '../../../stand-ins/design-service/server.ts';
import type { Delivery } from '../../../stand-ins/slack/dispatch/delivery.ts';
import type { Slack } from '../../../stand-ins/slack/server.ts';
import type { ApiCall } from '../../../stand-ins/slack/state/model.ts';

/** How many exchanges are kept, the newest. */
const KEPT = 1_000;
/** A call to the service this soon after something in Slack counts as caused by it, in ms. */
const CAUSE_WITHIN_MS = 10_000;

/** A call by the app to the service, with what the ledger doesn't contain. */
export type ServiceCall = {
  entry: LedgerEntry;
  reply: Reply | undefined;
  /** Real milliseconds until it was answered or abandoned. */
  ms: number | undefined;
  /** The app's previous delivery; undefined if that was long ago. */
  cause: Delivery | undefined;
};

/** One exchange, as far as it is known; it is completed while it is in progress. */
export type Exchange = { seq: number; at: Date } & (
  | { kind: 'delivery'; delivery: Delivery }
  | { kind: 'api-call'; call: ApiCall }
  | { kind: 'service-call'; call: ServiceCall }
);

export type Recorder = ReturnType<typeof createRecorder>;

/** Everything sent between Slack, the app, and the service, in the order in which it started. */
export function createRecorder({ slack, service }: { slack: Slack; service: DesignService }) {
  const exchanges: Exchange[] = [];
  const byEntry = new Map<LedgerEntry, { call: ServiceCall; arrived: number }>();
  let nextSeq = 1;
  let deliveriesSeen = 0;
  let apiCallsSeen = 0;

  type Kind<Of> = Of extends Exchange ? Omit<Of, 'seq' | 'at'> : never;
  function keep(at: Date, exchange: Kind<Exchange>): void {
    exchanges.push({ seq: nextSeq, at, ...exchange });
    nextSeq += 1;
    const [first] = exchanges.length > KEPT ? exchanges.splice(0, 1) : [];
    if (first?.kind === 'service-call') byEntry.delete(first.call.entry);
  }

  function lookAtSlack(): void {
    for (const delivery of slack.deliveries.slice(deliveriesSeen)) {
      keep(slack.state.clock(), { kind: 'delivery', delivery });
    }
    deliveriesSeen = slack.deliveries.length;
    for (const call of slack.apiCalls.slice(apiCallsSeen)) {
      keep(call.at, { kind: 'api-call', call });
    }
    apiCallsSeen = slack.apiCalls.length;
  }

  function causeOf(at: Date): Delivery | undefined {
    const last = exchanges.findLast(({ kind }) => kind === 'delivery');
    if (last?.kind !== 'delivery') return undefined;
    return at.getTime() - last.at.getTime() < CAUSE_WITHIN_MS ? last.delivery : undefined;
  }

  lookAtSlack();
  const stop = [
    slack.onChange(lookAtSlack),
    service.onChange((change) => {
      if (change.kind === 'card') return;
      const { entry } = change;
      if (change.kind === 'call') {
        const call = { entry, reply: undefined, ms: undefined, cause: causeOf(entry.at) };
        byEntry.set(entry, { call, arrived: performance.now() });
        keep(entry.at, { kind: 'service-call', call });
        return;
      }
      const known = byEntry.get(entry);
      if (!known) return;
      known.call.reply = change.reply;
      known.call.ms = performance.now() - known.arrived;
    }),
  ];

  return {
    /** Oldest first. */
    exchanges: (): readonly Exchange[] => exchanges,
    find: (seq: number) => exchanges.find((one) => one.seq === seq),
    close() {
      for (const end of stop) end();
    },
  };
}
