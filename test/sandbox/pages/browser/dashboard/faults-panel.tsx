import { useState } from 'react';
import type { FaultName } from '../../protocol/dashboard.ts';
import { useDashboard } from './dashboard-context.tsx';

const TROUBLES: { fault: FaultName; name: string; means: string }[] = [
  { fault: 'slow', name: 'Slow', means: 'Answers 4 s late' },
  { fault: 'rate-limited', name: '429', means: 'Too many requests, come back in 5 s' },
  { fault: 'server-error', name: '503', means: 'Server error, nothing executed' },
  {
    fault: 'dropped-after-executing',
    name: 'Dropped',
    means: 'Makes the card, then the connection breaks: did it arrive?',
  },
  { fault: 'garbage', name: 'Garbage', means: 'An HTML page with status 200' },
  { fault: 'down', name: 'Down', means: 'Cuts every connection' },
  { fault: 'refuses-fields', name: '400', means: 'Refuses title and dimensions of a new card' },
];

/** Troubles of the service to switch on, for the next call or until they are switched off. */
export function FaultsPanel() {
  const { snapshot, act } = useDashboard();
  const [once, setOnce] = useState(true);
  const { faults } = snapshot;
  return (
    <section className="panel" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      <fieldset className="fault-scope">
        <legend className="unseen-words">How often</legend>
        <label>
          <input type="radio" name="scope" checked={once} onChange={() => setOnce(true)} /> Next
          call
        </label>
        <label>
          <input type="radio" name="scope" checked={!once} onChange={() => setOnce(false)} /> Until
          switched off
        </label>
      </fieldset>
      <div className="fault-buttons">
        {TROUBLES.map(({ fault, name, means }) => (
          <button
            key={fault}
            type="button"
            className="fault-button"
            onClick={() => act({ do: 'add-fault', name: fault, once })}
          >
            <strong>{name}</strong>
            <span>{means}</span>
          </button>
        ))}
      </div>
      {faults.length > 0 ? (
        <ul className="faults-on" aria-label="Faults that are on">
          {faults.map((fault) => {
            const name = TROUBLES.find((one) => one.fault === fault.name)?.name ?? fault.name;
            return (
              <li key={fault.id} data-used={(fault.once && fault.struck > 0) || undefined}>
                <span>
                  <strong>{name}</strong>, {fault.once ? 'the next call' : 'until switched off'}:{' '}
                  {fault.struck === 0 ? 'armed' : `struck ${times(fault.struck)}`}
                </span>
                <button
                  type="button"
                  className="button small"
                  aria-label={`Switch ${name} off`}
                  onClick={() => act({ do: 'remove-fault', id: fault.id })}
                >
                  Off
                </button>
              </li>
            );
          })}
        </ul>
      ) : null}
    </section>
  );
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
