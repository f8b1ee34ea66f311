import { useState } from 'react';
import { FAULTS } from '../../service/faults-panel.ts';
import { Button } from '../shell/button.tsx';
import { useDashboard } from './dashboard-context.tsx';

/** Switches for the service's faults: for the next new card, or for every call. */
export function FaultsPanel() {
  const { snapshot, act } = useDashboard();
  const [once, setOnce] = useState(true);
  const { faults } = snapshot;
  const activeOf = (name: string) =>
    faults.filter((fault) => fault.name === name && !(fault.once && fault.struck > 0));
  const press = async (name: string) => {
    const active = activeOf(name);
    if (active.length === 0) return act({ do: 'add-fault', name, once });
    for (const { id } of active) await act({ do: 'remove-fault', id });
  };
  return (
    <section className="stack panel" aria-labelledby="faults-title">
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
        {FAULTS.map(({ name, means }) => (
          <button
            key={name}
            type="button"
            className="fault-button"
            aria-pressed={activeOf(name).length > 0}
            onClick={() => press(name)}
          >
            <strong>
              {name}
              {activeOf(name).length > 0 ? <span className="fault-on">On</span> : null}
            </strong>
            <span>{means}</span>
          </button>
        ))}
      </div>
      {faults.length > 0 ? (
        <ul className="stack faults-on" aria-label="Active faults">
          {faults.map((fault) => (
            <li
              key={fault.id}
              className="row"
              data-used={(fault.once && fault.struck > 0) || undefined}
            >
              <span>
                <strong>{fault.name}</strong>, {fault.once ? 'the next new card' : 'every call'}:{' '}
                {fault.struck === 0 ? 'not triggered yet' : `triggered ${times(fault.struck)}`}
              </span>
              <Button
                aria-label={`Switch ${fault.name} off`}
                onClick={() => act({ do: 'remove-fault', id: fault.id })}
              >
                Off
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
