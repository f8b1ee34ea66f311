import { useState } from 'react';
import type { LogRow, LogSnapshot, Party } from '../../snapshots/log-snapshot.ts';
import { useLive } from '../live/use-live.ts';
import { Button } from '../shell/button.tsx';
import { Frame } from '../shell/frame.tsx';
import { LogLine } from './log-line.tsx';

const WAYS: { name: string; between: Party }[] = [
  { name: 'Slack', between: 'slack' },
  { name: 'Design service', between: 'service' },
];

export function LogPage() {
  const live = useLive<LogSnapshot>('/live/log');
  return (
    <Frame page="log" live={live}>
      {live.state ? <Log rows={live.state.rows} /> : null}
    </Frame>
  );
}

function Log({ rows }: { rows: LogRow[] }) {
  const [hidden, setHidden] = useState<Party[]>([]);
  const [words, setWords] = useState('');
  /** Rows up to this one were cleared. */
  const [cleared, setCleared] = useState(0);
  const wanted = words.trim().toLocaleLowerCase();
  const shown = rows
    .filter(({ seq, from, to }) => seq > cleared && ![from, to].some((one) => hidden.includes(one)))
    .filter((row) => `${row.title} ${row.about}`.toLocaleLowerCase().includes(wanted))
    .reverse();
  const toggle = (party: Party) =>
    setHidden((all) =>
      all.includes(party) ? all.filter((one) => one !== party) : [...all, party],
    );
  return (
    <main className="log">
      <header className="row log-header">
        <h1>Log</h1>
        <input
          type="search"
          className="input"
          placeholder="Find"
          aria-label="Find in the log"
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        {WAYS.map(({ name, between }) => (
          <label key={between}>
            <input
              type="checkbox"
              checked={!hidden.includes(between)}
              onChange={() => toggle(between)}
            />{' '}
            {name}
          </label>
        ))}
        <Button onClick={() => setCleared(rows.at(-1)?.seq ?? 0)}>Clear</Button>
      </header>
      <ol className="log-lines" aria-label="Exchanges, newest first">
        {shown.map((row) => (
          <LogLine key={row.seq} row={row} />
        ))}
      </ol>
      {shown.length === 0 ? <p className="shell-note">Nothing has happened yet.</p> : null}
    </main>
  );
}
