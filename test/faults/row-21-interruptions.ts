import { type Figures, inMs, type Row, type RowOptions } from './figures.ts';
import { clockJumps } from './interruptions/clock-jumps.ts';
import { expiredResponseUrls } from './interruptions/expired-response-urls.ts';
import { socketDown } from './interruptions/socket-down.ts';
import { stopUnderLoad } from './interruptions/stop-under-load.ts';

const TITLE =
  'Socket Mode down for 10 s during a submission; expired response_url; SIGTERM under load; clock jumps';
const MUTATION =
  'stopping doesn’t wait for deliveries (app.ts): 2 in doubt; no way to reply except response_url (replies.ts): 3 of 4 not told';
/** Platforms kill a process this long after asking it to end (Docker). */
const DRAINED_WITHIN_MS = 10_000;

/** Each run is one SIGTERM under load; the other three faults run beside them. */
async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const [socket, urls, clock] = await Promise.all([
    socketDown(seed),
    expiredResponseUrls(seed),
    clockJumps(seed, runs),
  ]);
  say('the socket is back, the clock is right again');
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
    'not told after response_url expired': urls.untold,
  };
  const slowest = Math.max(...stops.stopMs);
  return {
    row: 21,
    title: TITLE,
    counts,
    measured: {
      'slowest exit after SIGTERM': inMs(slowest),
      'ended badly': String(stops.endedBadly),
      'socket back after': inMs(socket.backAfterMs),
      'fallbacks used': `${urls.told} of ${urls.told + urls.untold}`,
      'clock jumps': String(clock.jumps),
    },
    holds:
      counts.ok > 0 &&
      counts.waiting + counts.untold + counts.lost + counts.doubled + urls.untold === 0 &&
      stops.endedBadly === 0 &&
      // The service answers in time, so nothing is left in doubt.
      stops.outcomes['in doubt and told'] === 0 &&
      slowest < DRAINED_WITHIN_MS,
    mutation: MUTATION,
  };
}

export const interruptionsRow: Row = { row: 21, title: TITLE, runs: { full: 30, quick: 2 }, run };
