import { useCallback, useState } from 'react';
import type { Acknowledgment } from '../../acts/workspace-acts.ts';
import { useSlack, type Wait } from './slack-context.ts';

/** Slack waits this long for an acknowledgment, in ms. Source: Slack's documentation. */
const SLACK_LIMIT_MS = 3_000;
/** How long the result stays on the screen, in ms. */
const SHOWN_MS = 6_000;

let nextId = 1;

export function useWaits() {
  const [waits, setWaits] = useState<Wait[]>([]);
  const begin = useCallback((what: string) => {
    const id = nextId++;
    setWaits((all) => [...all.filter(({ told }) => !told), { id, what, told: undefined }]);
    return (told: Acknowledgment | undefined) => {
      const leave = () => setWaits((all) => all.filter((one) => one.id !== id));
      if (!told) return leave();
      setWaits((all) => all.map((one) => (one.id === id ? { ...one, told } : one)));
      setTimeout(leave, SHOWN_MS);
      return undefined;
    };
  }, []);
  return { waits, begin };
}

export function WaitMeters() {
  const { waits } = useSlack();
  return (
    <div className="stack waits" role="status">
      {waits.map((wait) => (
        <Meter key={wait.id} wait={wait} />
      ))}
    </div>
  );
}

function Meter({ wait: { what, told } }: { wait: Wait }) {
  const state = told === undefined ? 'waiting' : told.acknowledged ? 'answered' : 'failed';
  return (
    <div className="faint row wait" data-state={state}>
      <span className="clip">{wordsFor(what, told)}</span>
      <WaitBar ms={told?.ms} />
      <span aria-hidden="true">3 s</span>
    </div>
  );
}

/** A time compared with Slack's three seconds; without one, they are passing. */
export function WaitBar({ ms }: { ms: number | undefined }) {
  const share = ms === undefined ? 1 : Math.min(ms / SLACK_LIMIT_MS, 1);
  return (
    <span className="wait-track" aria-hidden="true">
      <span
        className="wait-bar"
        data-late={(ms !== undefined && share === 1) || undefined}
        style={{
          inlineSize: `max(3px, ${share * 100}%)`,
          animationDuration: `${SLACK_LIMIT_MS}ms`,
        }}
      />
    </span>
  );
}

function wordsFor(what: string, told: Wait['told']): string {
  if (!told) return `${what}: waiting for the app`;
  if (told.acknowledged) return `${what}: answered in ${Math.max(1, Math.round(told.ms))} ms`;
  return told.error === 'timeout'
    ? `${what}: no answer within 3 s`
    : `${what}: the app could not be reached`;
}
