import { useEffect, useRef, useState } from 'react';
import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';

/** How many messages by others each conversation has got since the page was opened without being seen. */
export function useSeen(snapshot: WorkspaceSnapshot, open: string | undefined) {
  const { messages, me } = snapshot;
  const seen = useRef<Record<string, string>>(undefined);
  const [, redraw] = useState(0);
  const lastOf = (id: string) => messages[id]?.at(-1)?.ts ?? '';
  seen.current ??= Object.fromEntries(Object.keys(messages).map((id) => [id, lastOf(id)]));
  const lastHere = open ? lastOf(open) : '';

  useEffect(() => {
    if (!open || !seen.current || seen.current[open] === lastHere) return;
    seen.current[open] = lastHere;
    redraw((times) => times + 1);
  }, [open, lastHere]);

  const { current } = seen;
  return Object.fromEntries(
    Object.entries(messages).map(([id, all]) => [
      id,
      id === open
        ? 0
        : all.filter(({ ts, userId }) => ts > (current[id] ?? '') && userId !== me).length,
    ]),
  );
}
