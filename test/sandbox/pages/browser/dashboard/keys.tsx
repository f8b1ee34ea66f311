import { useEffect, useState } from 'react';
import type { KeyShown } from '../../service/keys.ts';
import { Button } from '../shell/button.tsx';
import { CopyButton } from './copy-button.tsx';
import { useDashboard } from './dashboard-context.tsx';

export function Keys() {
  const { snapshot } = useDashboard();
  return (
    <section className="stack panel" aria-labelledby="keys-title">
      <h2 id="keys-title">API keys</h2>
      {snapshot.keys.map((key) => (
        <Key key={key.owner} shown={key} now={snapshot.now} />
      ))}
    </section>
  );
}

function Key({ shown, now }: { shown: KeyShown; now: number }) {
  const { act } = useDashboard();
  const { owner, account, projectId, key, budget } = shown;
  return (
    <div className="stack key" data-owner={owner}>
      <p>
        <strong>{owner}</strong> <span className="soft">{account}</span>
      </p>
      {key === undefined ? (
        <p className="problem">Revoked: every call with it gets 401.</p>
      ) : (
        <p className="row key-line">
          <code>{key}</code>
          <CopyButton text={key} name="Copy" label={`Copy the key of ${owner}`} />
        </p>
      )}
      <p className="row key-line">
        <span>
          Project <code>{projectId}</code>
        </span>
        <CopyButton text={projectId} name="Copy" label={`Copy the project of ${owner}`} />
      </p>
      {budget ? <BudgetGauge owner={owner} budget={budget} serverNow={now} /> : null}
      <p className="wrap">
        {key === undefined ? null : (
          <Button
            className="danger"
            aria-label={`Revoke the key of ${owner}`}
            onClick={() => act({ do: 'revoke-key', owner })}
          >
            Revoke
          </Button>
        )}
        <Button aria-label={`New key for ${owner}`} onClick={() => act({ do: 'new-key', owner })}>
          New key
        </Button>
        {budget ? (
          <label className="soft row">
            Calls per minute
            <select
              className="button"
              value={budget.limit}
              onChange={({ target }) =>
                act({ do: 'limit-key', owner, perMinute: Number(target.value) })
              }
            >
              {[...new Set([5, 20, 60, 120, budget.limit])]
                .sort((one, other) => one - other)
                .map((limit) => (
                  <option key={limit}>{limit}</option>
                ))}
            </select>
          </label>
        ) : null}
      </p>
    </div>
  );
}

type Budget = NonNullable<KeyShown['budget']>;

const TICK_MS = 1_000;

function BudgetGauge(props: { owner: string; budget: Budget; serverNow: number }) {
  const { owner, budget, serverNow } = props;
  const now = useServerNow(serverNow);
  const secondsLeft = Math.max(0, Math.ceil(budget.resetsAt - now / 1_000));
  // Nothing is sent when a minute ends: from then on the key has all its calls again.
  const remaining = secondsLeft === 0 ? budget.limit : budget.remaining;
  return (
    <div className="stack">
      <meter
        className="gauge"
        aria-label={`Calls left for ${owner}`}
        max={budget.limit}
        low={budget.limit * 0.15}
        high={budget.limit * 0.5}
        optimum={budget.limit}
        value={remaining}
      />
      <span className="soft">
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
