import { useEffect, useState } from 'react';
import type { LogDetail, LogMessage } from '../../snapshots/log-snapshot.ts';

export function LogPayload({ seq }: { seq: number }) {
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
      <p className="log-head">{head}</p>
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
