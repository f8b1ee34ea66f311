import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActAnswer, ActResult } from '../../acts/workspace-acts.ts';
import type { FrameShown } from '../../frame.ts';

/** Sends an action to the sandbox. Rejects with the sandbox's message if it can't be done. */
export async function send(
  page: string,
  body: unknown,
): Promise<{ revision: number; result: ActResult }> {
  const response = await fetch(`/act/${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error('The sandbox has ended. Start it again with npm run sandbox.');
  });
  const answer: ActAnswer = await response.json();
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer;
}

/** Uploads a file to the sandbox, as the person with that ID. */
export async function upload(as: string, file: File): Promise<{ id: string }> {
  const query = new URLSearchParams({ as, name: file.name, type: file.type });
  const response = await fetch(`/upload?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: file,
  });
  if (!response.ok) throw new Error('The file could not be uploaded to the sandbox.');
  return response.json();
}

type Told<State> = { revision: number; frame: FrameShown; state: State | null };

export type Live<State> = {
  /** Undefined until the first state has arrived. */
  state: State | undefined;
  /** The part that every page gets. */
  frame: FrameShown | undefined;
  /** Whether the sandbox is still running. */
  connected: boolean;
  /** Resolves when the page shows the state with that number, or a newer one. */
  whenShown(revision: number): Promise<void>;
};

/** Follows a state of the sandbox, which is sent again after every change. */
export function useLive<State>(address: string): Live<State> {
  const [told, setTold] = useState<Told<State>>();
  const [connected, setConnected] = useState(true);
  const waiting = useRef<{ revision: number; resolve: () => void }[]>([]);
  const shown = useRef(-1);

  useEffect(() => {
    const source = new EventSource(address);
    source.onopen = () => setConnected(true);
    source.onerror = () => setConnected(false);
    source.onmessage = ({ data }) => {
      const { revision, frame, state }: Told<State> = JSON.parse(data);
      setTold((before) => ({ revision, frame, state: state ?? before?.state ?? null }));
    };
    return () => source.close();
  }, [address]);

  useEffect(() => {
    shown.current = told?.revision ?? -1;
    const still = waiting.current.filter((one) => one.revision > shown.current);
    const done = waiting.current.filter((one) => one.revision <= shown.current);
    waiting.current = still;
    for (const { resolve } of done) resolve();
  }, [told]);

  const whenShown = useCallback((revision: number) => {
    if (revision <= shown.current) return Promise.resolve();
    return new Promise<void>((resolve) => {
      waiting.current.push({ revision, resolve });
    });
  }, []);

  return { state: told?.state ?? undefined, frame: told?.frame, connected, whenShown };
}
