import type { Log } from '../../ops/logging.ts';
import type { DeliveryRefusal } from '../../ops/metrics/slack-metrics.ts';

/** Counts refused deliveries, and logs those that Slack would send if a setting were wrong. Anyone can send the others. */
export type Refusals = { accepted(): void; refused(reason: DeliveryRefusal): void };

const LOGGED: Partial<Record<DeliveryRefusal, string>> = {
  signature:
    "refused deliveries that aren't signed with SLACK_SIGNING_SECRET: it isn't this app's, or a proxy changes what Slack sends",
  timestamp:
    "refused deliveries that were signed more than five minutes from now: this machine's clock is wrong, or somebody repeats them",
};
const LOGGED_EVERY_MS = 60_000;

export function createRefusals(deps: {
  count: (reason: DeliveryRefusal) => void;
  now: () => Date;
  log: Log;
}): Refusals {
  const { count, now, log } = deps;
  let accepted = 0;
  const logged = new Map<DeliveryRefusal, { at: number; refused: number }>();
  return {
    accepted() {
      accepted += 1;
    },
    refused(reason) {
      count(reason);
      const words = LOGGED[reason];
      if (!words) return;
      const last = logged.get(reason) ?? { at: Number.NEGATIVE_INFINITY, refused: 0 };
      last.refused += 1;
      logged.set(reason, last);
      if (Math.abs(now().getTime() - last.at) < LOGGED_EVERY_MS) return;
      log.warn({ refused: last.refused, accepted }, words);
      logged.set(reason, { at: now().getTime(), refused: 0 });
      accepted = 0;
    },
  };
}
