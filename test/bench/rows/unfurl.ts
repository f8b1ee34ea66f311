import { compare } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { CARD_URLS, timeDeliveries } from './time-deliveries.ts';

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
  const all = await compare(contenders, { rounds, say });
  return [
    figure('p50', 'ms', all.whole.p50, atMost(TARGET_MS)),
    figure('p99', 'ms', all.whole.p99),
    figure('bare Bolt with a fixed unfurl, p50', 'ms', all.bare.p50),
    figure('bare Bolt with a fixed unfurl, p99', 'ms', all.bare.p99),
  ];
}

export const unfurlRow: Row = {
  id: 'unfurl',
  title: 'From a link to chat.unfurl, card cached',
  how: '20 links per second to four cards, from sending the event until the app’s call arrives. The event is stored on disk in between.',
  run,
};
