import { useEffect, useState } from 'react';
import type { KeyShown } from '../../service/keys.ts';

type Budget = NonNullable<KeyShown['budget']>;

const TICK_MS = 1_000;

/** How many calls a key has left in this minute, and when the minute ends. */
export function BudgetGauge(props: { owner: string; budget: Budget; serverNow: number }) {
  const { owner, budget, serverNow } = props;
  const now = useServerNow(serverNow);
  const secondsLeft = Math.max(0, Math.ceil(budget.resetsAt - now / 1_000));
  // Nothing is sent when a minute ends: from then on the key has all its calls again.
  const remaining = secondsLeft === 0 ? budget.limit : budget.remaining;
  const share = remaining / budget.limit;
  const level = share > 0.5 ? 'good' : share > 0.15 ? 'low' : 'empty';
  return (
    <div className="gauge" data-level={level}>
      <meter
        className="visually-hidden"
        aria-label={`Calls left for ${owner}`}
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
        {remaining < budget.limit ? `, resets in ${secondsLeft} s` : ''}
      </span>
    </div>
  );
}

/** The service's clock, continued between updates. */
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
