import { type Figures, inMs, type Row, type RowOptions } from './figures.ts';
import { clockJumps } from './interruptions/clock-jumps.ts';
import { responseUrlsUsedUp } from './interruptions/response-urls-used-up.ts';
import { socketGone } from './interruptions/socket-gone.ts';
import { stopUnderLoad } from './interruptions/stop-under-load.ts';

const TITLE =
  'Socket Mode gone for 10 s during a submission; response_url used up; SIGTERM under load; clock jumps';
const MUTATION =
  'the stop does not wait for deliveries (app.ts): 2 in doubt; no way but response_url (replies.ts): 3 of 4 not told';
/** Platforms kill a process that long after they asked it to end (Docker). */
const DRAINED_WITHIN_MS = 10_000;

/** One run is one SIGTERM under load; the other three happen beside it, as long as they take. */
async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const [socket, urls, clock] = await Promise.all([
    socketGone(seed),
    responseUrlsUsedUp(seed),
    clockJumps(seed, runs),
  ]);
  say('the socket came back, the clock stands right again');
  const stops = await stopUnderLoad(seed, runs, say);
  const parts = { socket, clock, stops };
  const total = (
    kind:
      | 'ok'
      | 'in doubt and told'
      | 'lost'
      | 'untold'
      | 'doubled'
      | 'waiting'
      | 'not acknowledged',
  ) => Object.values(parts).reduce((sum, { outcomes }) => sum + outcomes[kind], 0);
  const counts = {
    ok: total('ok'),
    'in doubt and told': total('in doubt and told'),
    'not acknowledged': total('not acknowledged'),
    waiting: total('waiting'),
    untold: total('untold'),
    lost: total('lost'),
    doubled: total('doubled'),
    'not told where response_url was used up': urls.untold,
  };
  const slowest = Math.max(...stops.stopMs);
  return {
    row: 21,
    title: TITLE,
    counts,
    measured: {
      'slowest end after SIGTERM': inMs(slowest),
      'ended badly': String(stops.endedBadly),
      'socket back after': inMs(socket.backAfterMs),
      'fallbacks used': `${urls.told} of ${urls.told + urls.untold}`,
      'clock jumps': String(clock.jumps),
    },
    holds:
      counts.ok > 0 &&
      counts.waiting + counts.untold + counts.lost + counts.doubled + urls.untold === 0 &&
      stops.endedBadly === 0 &&
      // The service answers within the time that there is, so nothing is left in the air.
      stops.outcomes['in doubt and told'] === 0 &&
      slowest < DRAINED_WITHIN_MS,
    mutation: MUTATION,
  };
}

export const interruptionsRow: Row = { row: 21, title: TITLE, runs: { full: 30, quick: 2 }, run };
