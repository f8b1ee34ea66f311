import { useState } from 'react';
import type { FaultName } from '../../service/faults-panel.ts';
import { Button } from '../shell/button.tsx';
import { useDashboard } from './dashboard-context.tsx';

const TROUBLES: { fault: FaultName; name: string; means: string }[] = [
  { fault: 'slow', name: 'Slow', means: 'Answers 4 s late' },
  { fault: 'rate-limited', name: '429', means: 'Too many requests, retry in 5 s' },
  { fault: 'server-error', name: '503', means: 'Server error, nothing is executed' },
  {
    fault: 'dropped-after-executing',
    name: 'Dropped',
    means: 'Creates the card, then drops the connection',
  },
  { fault: 'garbage', name: 'Garbage', means: 'An HTML page with status 200' },
  { fault: 'down', name: 'Down', means: 'Cuts every connection' },
  { fault: 'refuses-fields', name: '400', means: 'Rejects title and dimensions of a new card' },
];

/** Switches for the service's faults: for the next new card, or for every call. */
export function FaultsPanel() {
  const { snapshot, act } = useDashboard();
  const [once, setOnce] = useState(true);
  const { faults } = snapshot;
  const activeOf = (name: FaultName) =>
    faults.filter((fault) => fault.name === name && !(fault.once && fault.struck > 0));
  const press = async (name: FaultName) => {
    const active = activeOf(name);
    if (active.length === 0) return act({ do: 'add-fault', name, once });
    for (const { id } of active) await act({ do: 'remove-fault', id });
  };
  return (
    <section className="panel" aria-labelledby="faults-title">
      <h2 id="faults-title">Faults</h2>
      <fieldset className="stack fault-scope">
        <legend className="visually-hidden">How often</legend>
        <label>
          <input type="radio" name="scope" checked={once} onChange={() => setOnce(true)} /> Next new
          card
        </label>
        <label>
          <input type="radio" name="scope" checked={!once} onChange={() => setOnce(false)} /> Every
          call, until switched off
        </label>
      </fieldset>
      <div className="fault-buttons">
        {TROUBLES.map(({ fault, name, means }) => (
          <button
            key={fault}
            type="button"
            className="fault-button"
            aria-pressed={activeOf(fault).length > 0}
            onClick={() => press(fault)}
          >
            <strong>
              {name}
              {activeOf(fault).length > 0 ? <span className="fault-on">On</span> : null}
            </strong>
            <span>{means}</span>
          </button>
        ))}
      </div>
      {faults.length > 0 ? (
        <ul className="stack faults-on" aria-label="Active faults">
          {faults.map((fault) => {
            const name = TROUBLES.find((one) => one.fault === fault.name)?.name ?? fault.name;
            return (
              <li key={fault.id} data-used={(fault.once && fault.struck > 0) || undefined}>
                <span>
                  <strong>{name}</strong>, {fault.once ? 'the next new card' : 'every call'}:{' '}
                  {fault.struck === 0 ? 'not triggered yet' : `triggered ${times(fault.struck)}`}
                </span>
                <Button
                  className="small"
                  aria-label={`Switch ${name} off`}
                  onClick={() => act({ do: 'remove-fault', id: fault.id })}
                >
                  Off
                </Button>
              </li>
            );
          })}
        </ul>
      ) : null}
    </section>
  );
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
