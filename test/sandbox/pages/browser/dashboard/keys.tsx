import type { KeyShown } from '../../service/keys.ts';
import { BudgetGauge } from './budget-gauge.tsx';
import { CopyButton } from './copy-button.tsx';
import { useDashboard } from './dashboard-context.tsx';

export function Keys() {
  const { snapshot } = useDashboard();
  return (
    <section className="panel" aria-labelledby="keys-title">
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
    <div className="key" data-owner={owner}>
      <p className="key-head">
        <strong>{owner}</strong> <span className="key-account">{account}</span>
      </p>
      {key === undefined ? (
        <p className="key-revoked">Revoked: every call with it gets 401.</p>
      ) : (
        <p className="key-line">
          <code>{key}</code>
          <CopyButton text={key} name="Copy" label={`Copy the key of ${owner}`} />
        </p>
      )}
      <p className="key-line">
        <span>
          Project <code>{projectId}</code>
        </span>
        <CopyButton text={projectId} name="Copy" label={`Copy the project of ${owner}`} />
      </p>
      {budget ? <BudgetGauge owner={owner} budget={budget} serverNow={now} /> : null}
      <p className="key-tools">
        {key === undefined ? null : (
          <button
            type="button"
            className="button small danger"
            aria-label={`Revoke the key of ${owner}`}
            onClick={() => act({ do: 'revoke-key', owner })}
          >
            Revoke
          </button>
        )}
        <button
          type="button"
          className="button small"
          aria-label={`New key for ${owner}`}
          onClick={() => act({ do: 'new-key', owner })}
        >
          New key
        </button>
        {budget ? (
          <label className="key-limit">
            Calls per minute
            <select
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
