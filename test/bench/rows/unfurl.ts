import { inMirroredOrder, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { CARD_URLS, timeDeliveries } from './delivery-times.ts';

const LINKS_A_SECOND = 20;
/** One measurement: five seconds' worth. */
const LINKS = 100;
const TARGET_MS = 10;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const bare = await stage.start(stage.bareBolt({ answers: true }));
  const whole = await stage.start(stage.app({ service, name: 'unfurl' }));
  const link = { kind: 'link', until: 'chat.unfurl', urls: CARD_URLS } as const;
  const measure = (subject: Subject) => () =>
    timeDeliveries(load, subject, { ...link, perSecond: LINKS_A_SECOND, count: LINKS });
  const contenders = { bare: measure(bare), whole: measure(whole) };
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'p50',
      figure: spreadOf(all.whole.p50),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    { what: 'p99', figure: spreadOf(all.whole.p99), unit: 'ms' },
    { what: 'bare Bolt with a fixed unfurl, p50', figure: spreadOf(all.bare.p50), unit: 'ms' },
    { what: 'bare Bolt with a fixed unfurl, p99', figure: spreadOf(all.bare.p99), unit: 'ms' },
  ];
}

export const unfurlRow: Row = {
  id: 'unfurl',
  title: 'From a link to chat.unfurl, card cached',
  how: '20 links per second to four cards, from sending the event until the app’s call arrives. The event is stored on disk in between.',
  run,
};
