import { useEffect, useState } from 'react';
import type { LogDetail, LogMessage, LogRow, Party } from '../../snapshots/log-snapshot.ts';
import { timeOfDay } from '../text/slack-date.ts';
import { WaitBar } from '../workspace/wait-meters.tsx';

const NAMES: Record<Party, string> = { slack: 'Slack', app: 'App', service: 'Service' };

export function LogLine({ row }: { row: LogRow }) {
  const [open, setOpen] = useState(false);
  const { seq, at, from, to, title, about, outcome, isGood } = row;
  const state = outcome === undefined ? 'waiting' : isGood ? 'good' : 'bad';
  return (
    <li className="log-line" data-state={state}>
      <button type="button" className="log-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <time>{timeOfDay(at)}</time>
        <span>
          {NAMES[from]} → {NAMES[to]}
        </span>
        <span className="clip log-title">
          {title} {about ? <small>{about}</small> : null}
        </span>
        <span className="clip log-outcome">{outcome ?? 'in progress'}</span>
        <Took row={row} />
      </button>
      {open ? <LogPayload seq={seq} /> : null}
    </li>
  );
}

/** How long it took, compared with Slack's three seconds if Slack waits. */
function Took({ row: { ms, from } }: { row: LogRow }) {
  if (ms === undefined) return <span className="row soft log-took" />;
  return (
    <span className="row soft log-took">
      {from === 'slack' ? <WaitBar ms={ms} /> : null}
      {Math.max(1, Math.round(ms))} ms
      {from === 'slack' ? ' of 3 s' : null}
    </span>
  );
}

function LogPayload({ seq }: { seq: number }) {
  const [detail, setDetail] = useState<LogDetail>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let still = true;
    const read = async () => {
      const response = await fetch(`/read/log?seq=${seq}`);
      const body = await response.json();
      if (!still) return;
      if (response.ok) setDetail(body);
      else setProblem(body.problem);
    };
    read().catch(() => setProblem('The sandbox has ended.'));
    return () => {
      still = false;
    };
  }, [seq]);
  if (problem) return <p className="field-error">{problem}</p>;
  if (!detail) return null;
  return (
    <div className="log-payload">
      <Said title="Request" message={detail.request} />
      {detail.answers.map((answer) => (
        <Said key={answer.head} title="Answer" message={answer} />
      ))}
    </div>
  );
}

function Said({ title, message: { head, body } }: { title: string; message: LogMessage }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p className="soft log-head">{head}</p>
      {body === undefined ? (
        <p className="hint">No body.</p>
      ) : (
        <pre tabIndex={0}>
          {typeof body === 'string' ? body : JSON.stringify(body, undefined, 2)}
        </pre>
      )}
    </section>
  );
}
