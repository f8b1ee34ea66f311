import { useCallback, useState } from 'react';
import type { Acknowledgment } from '../../acts/workspace-acts.ts';

/** Slack waits this long for an acknowledgment, in ms. Source: Slack's documentation. */
export const SLACK_LIMIT_MS = 3_000;
/** How long the result stays on the screen, in ms. */
const SHOWN_MS = 6_000;

export type Wait = { id: number; what: string; told: Acknowledgment | undefined };

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

export function WaitMeters({ waits }: { waits: Wait[] }) {
  return (
    <div className="waits" role="status">
      {waits.map((wait) => (
        <Meter key={wait.id} wait={wait} />
      ))}
    </div>
  );
}

function Meter({ wait: { what, told } }: { wait: Wait }) {
  const state = told === undefined ? 'waiting' : told.acknowledged ? 'answered' : 'failed';
  const share = told ? Math.min(told.ms / SLACK_LIMIT_MS, 1) : 1;
  return (
    <div className="faint row wait" data-state={state}>
      <span className="clip wait-words">{wordsFor(what, told)}</span>
      <span className="wait-track" aria-hidden="true">
        <span
          className="wait-bar"
          style={
            told
              ? { inlineSize: `max(3px, ${share * 100}%)` }
              : { animationDuration: `${SLACK_LIMIT_MS}ms` }
          }
        />
      </span>
      <span className="wait-limit" aria-hidden="true">
        3 s
      </span>
    </div>
  );
}

function wordsFor(what: string, told: Wait['told']): string {
  if (!told) return `${what}: waiting for the app`;
  if (told.acknowledged) return `${what}: answered in ${Math.max(1, Math.round(told.ms))} ms`;
  return told.error === 'timeout'
    ? `${what}: no answer within 3 s`
    : `${what}: the app could not be reached`;
}
