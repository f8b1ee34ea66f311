import { useEffect, useState } from 'react';
import type { KeyShown } from '../../protocol/dashboard.ts';

type Budget = NonNullable<KeyShown['budget']>;

const TICK_MS = 1_000;

/** How many calls a key has left this minute, and when the minute is over. */
export function BudgetGauge(props: { owner: string; budget: Budget; serverNow: number }) {
  const { owner, budget, serverNow } = props;
  const now = useServerNow(serverNow);
  const secondsLeft = Math.max(0, Math.ceil(budget.resetsAt - now / 1_000));
  // Nothing is told when a minute ends: from then on the key has all its calls again.
  const remaining = secondsLeft === 0 ? budget.limit : budget.remaining;
  const share = remaining / budget.limit;
  const level = share > 0.5 ? 'good' : share > 0.15 ? 'low' : 'empty';
  return (
    <div className="gauge" data-level={level}>
      <meter
        className="unseen-words"
        aria-label={`Calls that ${owner} has left`}
        min={0}
        max={budget.limit}
        value={remaining}
      >
        {remaining} of {budget.limit}
      </meter>
      <span className="gauge-track" aria-hidden="true">
        <span className="gauge-bar" style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <span className="gauge-words">
        <strong>{remaining}</strong> of {budget.limit} left
        {remaining < budget.limit ? `, anew in ${secondsLeft} s` : ''}
      </span>
    </div>
  );
}

/** The service's clock, going on between what is told of it. */
function useServerNow(told: number): number {
  const [now, setNow] = useState(told);
  useEffect(() => {
    const since = performance.now();
    const tick = () => setNow(told + performance.now() - since);
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [told]);
  return now;
}
