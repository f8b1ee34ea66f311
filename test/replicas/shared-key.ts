import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../faults/outcomes.ts';
import { type Posted, postLink, unfurlsOf } from '../faults/posting.ts';
import { chanceOf } from '../faults/random.ts';
import { type Figures, inMs, median, p95, type Row, type RowOptions } from '../faults/row.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { currentDeployment } from './deployment.ts';

const CARDS = 50;
/** Several replicas may ask for the same card at once. */
const MOST_CALLS_OF_SEVERAL = 60;
/** What the service allows a key (api.md, section 8). */
const PER_MINUTE = 60;
const UNFURLED_WITHIN_MS = 180_000;
/** Nobody waits longer for a preview, in ms. What is read twice leaves as many cards for the next minute. */
const MOST_DELAY_MS = 75_000;

/** Each run is one message. */
async function run(withinMs: number, { seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, requestsPerMinute: PER_MINUTE }, async (setting) => {
    const chance = chanceOf(seed);
    const { service } = setting;
    const cards = Array.from({ length: CARDS }, (_, card) =>
      service.cards.add({ title: `Card ${card}` }),
    );
    await setting.start();
    const posted: Posted[] = [];
    const linked = new Set<string>();
    const began = performance.now();
    for (let message = 0; message < runs; message += 1) {
      const { id } = chance.pick([cards[0] ?? { id: '' }, ...cards]);
      linked.add(id);
      posted.push(await postLink(setting, chance, id));
      if (message % 100 === 99) say(`${message + 1} of ${runs} posted`);
      const due = ((message + 1) * withinMs) / runs;
      await sleep(Math.max(0, due - (performance.now() - began)));
    }
    const missing = () => posted.filter((one) => unfurlsOf(setting, one) === 0).length;
    await eventually(() => missing() === 0, UNFURLED_WITHIN_MS);
    const reads = service.calls({ operation: 'getCard' });
    const refused = service.calls().filter(({ status }) => status === 429).length;
    const isOneReplica = (currentDeployment()?.replicas ?? 1) === 1;
    const mostCalls = isOneReplica ? linked.size : MOST_CALLS_OF_SEVERAL;
    const window = service.largestWindow();
    const delays = posted.flatMap((one) => delayOf(setting, one));
    const longest = Math.max(...delays);
    return {
      counts: {
        messages: runs,
        'not unfurled': missing(),
        'card reads': reads.length,
        'refused with 429': refused,
      },
      measured: {
        'largest window of 60 s': String(window),
        'until unfurled, p50': inMs(median(delays)),
        p95: inMs(p95(delays)),
        longest: inMs(longest),
      },
      holds:
        missing() === 0 &&
        reads.length <= mostCalls &&
        window <= PER_MINUTE &&
        refused === 0 &&
        longest <= MOST_DELAY_MS,
    };
  });
}

/** How long after posting the message was unfurled, in ms. */
function delayOf({ slack }: Setting, { message }: Posted): number[] {
  const call = slack.apiCalls.find(
    ({ method, args }) => method === 'chat.unfurl' && args.ts === message.ts,
  );
  return call ? [call.at.getTime() - Number(message.ts) * 1_000] : [];
}

const rowWithin = (seconds: number): Row => ({
  row: 14,
  title: `replicas share one key: messages linking to ${CARDS} cards, posted within ${seconds} s`,
  mutation: 'replicas that share neither budget nor cards',
  runs: { full: 500, quick: 40 },
  run: (options) => run(seconds * 1_000, options),
});

export const sharedKeyRow = rowWithin(60);
/** As fast as four replicas on two processors can unfurl them. */
export const burstOfLinksRow = rowWithin(15);
