import { type RefObject, useCallback, useEffect, useRef } from 'react';

/** This close to the end, the reader is at the end, in pixels. */
const NEAR_END_PX = 80;
/** Space above one's own message, in pixels. */
const ABOVE_PX = 12;

type Last = { ts: string; isMine: boolean } | undefined;

/**
 * Keeps a conversation at its end while the reader is there, and goes there when they post. A message of one's own stays
 * in view, however much grows below it, such as a tall preview.
 */
export function useScroll(box: RefObject<HTMLElement | null>, last: Last, notices: number) {
  const follows = useRef(true);
  const top = useRef(0);
  const mine = useRef(false);
  mine.current = last?.isMine ?? false;

  const toEnd = useCallback(() => {
    const { current } = box;
    if (!current || !follows.current) return;
    const end = current.scrollHeight - current.clientHeight;
    const own = mine.current ? [...current.querySelectorAll<HTMLElement>('article')].at(-1) : null;
    current.scrollTop = own ? Math.min(end, own.offsetTop - ABOVE_PX) : end;
    top.current = current.scrollTop;
  }, [box]);

  useEffect(() => {
    const { current } = box;
    if (!current) return undefined;
    // Pictures and unfurls grow after their message.
    const watcher = new ResizeObserver(toEnd);
    watcher.observe(current);
    for (const child of current.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, [box, toEnd]);

  const seen = useRef(last?.ts);
  useEffect(() => {
    if (last?.isMine && last.ts !== seen.current) follows.current = true;
    seen.current = last?.ts;
    toEnd();
  }, [last?.ts, last?.isMine, toEnd]);
  useEffect(() => {
    // Slackbot answers what one has typed.
    if (notices > 0) follows.current = true;
    toEnd();
  }, [notices, toEnd]);

  return useCallback(() => {
    const { current } = box;
    if (!current) return;
    const { scrollTop, scrollHeight, clientHeight } = current;
    const isNearEnd = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    // Growing content moves the end away, but only a reader scrolls up.
    if (isNearEnd) follows.current = true;
    else if (scrollTop < top.current - 1) follows.current = false;
    top.current = scrollTop;
  }, [box]);
}
