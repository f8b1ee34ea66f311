import { AsyncLocalStorage } from 'node:async_hooks';
import type { DeliveryOutcome, SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import type { Intake, Reply } from './intake.ts';

/** The types of interactions that have a metric of their own. */
const INTERACTIONS = [
  ...['block_actions', 'block_suggestion', 'view_submission', 'view_closed'],
  ...['shortcut', 'message_action'],
];
const MS_PER_SECOND = 1_000;

/** When the delivery arrived that is being handled, by `performance.now()`. */
const delivery = new AsyncLocalStorage<{ receivedAt: number }>();

/** The time since the delivery arrived that is being handled, in seconds; undefined outside of one. */
export function secondsSinceDelivery(): number | undefined {
  const handled = delivery.getStore();
  return handled && (performance.now() - handled.receivedAt) / MS_PER_SECOND;
}

export type MeasuredIntake = Intake & {
  /** The time since the last delivery, or since the start, in seconds. */
  silentSeconds(): number;
};

/** Measures how long Slack waits for its answers. */
export function measureIntake(
  intake: Intake,
  { metrics, now }: { metrics: Pick<SlackMetrics, 'delivered'>; now: () => Date },
): MeasuredIntake {
  let heardAt = now().getTime();
  return {
    ...intake,
    async receive(body) {
      heardAt = now().getTime();
      const receivedAt = performance.now();
      const reply = await delivery.run({ receivedAt }, () => intake.receive(body));
      const seconds = (performance.now() - receivedAt) / MS_PER_SECOND;
      metrics.delivered(kindOf(body), outcomeOf(reply), seconds);
      return reply;
    },
    silentSeconds: () => Math.max(0, now().getTime() - heardAt) / MS_PER_SECOND,
  };
}

/** From a closed list, whatever was sent. */
function kindOf(body: unknown): string {
  const { type, command } = Object(body) as { type?: unknown; command?: unknown };
  if (type === 'event_callback') return 'event';
  const known = INTERACTIONS.find((kind) => kind === type);
  if (known !== undefined) return known;
  return type === undefined && typeof command === 'string' ? 'command' : 'other';
}

function outcomeOf({ status }: Reply): DeliveryOutcome {
  if (status === 200) return 'acknowledged';
  return status >= 500 ? 'failed' : 'refused';
}
