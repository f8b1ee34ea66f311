import type { ServerResponse } from 'node:http';

/** Changes within this time are shown together, in ms. */
const COALESCE_MS = 15;

type Follower = { response: ServerResponse; draw: () => unknown; last: string };

/** Pages that follow changes through server-sent events; every page gets `frame` besides its own state. */
export function createLive(frame: () => unknown) {
  const followers = new Set<Follower>();
  let revision = 0;
  let timer: NodeJS.Timeout | undefined;

  function tell(follower: Follower): void {
    const { response, draw } = follower;
    const state = JSON.stringify(draw());
    const told = state === follower.last ? 'null' : state;
    follower.last = state;
    const around = `"revision":${revision},"frame":${JSON.stringify(frame())}`;
    response.write(`data: {${around},"state":${told}}\n\n`);
  }

  return {
    /** Something changed, and every page is told soon. @returns the number that the new state will have */
    changed() {
      revision += 1;
      timer ??= setTimeout(() => {
        timer = undefined;
        for (const follower of followers) tell(follower);
      }, COALESCE_MS);
      return revision;
    },
    /** Sends the result of `draw`, now and after every change, until the page is closed. */
    follow(response: ServerResponse, draw: () => unknown) {
      const follower: Follower = { response, draw, last: '' };
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      followers.add(follower);
      response.on('close', () => followers.delete(follower));
      tell(follower);
    },
    close() {
      clearTimeout(timer);
      for (const { response } of followers) response.end();
    },
  };
}
