import { type LoadGenerator, startLoadGenerator } from '../load/load-generator.ts';
import { compare } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { CARD_URLS, timeDeliveries } from './time-deliveries.ts';

const COMMANDS_A_SECOND = 50;
/** One measurement: five seconds' worth. */
const COMMANDS = 250;
/** Posted at the same time, six times as many as people post in a busy minute (500). */
const LINKS_A_SECOND = 50;
const LINKS = (COMMANDS / COMMANDS_A_SECOND) * LINKS_A_SECOND;
const STALL_MS = 10_000;
const TARGET_MS = 10;

async function run({ stage, rounds, say }: RowOptions): Promise<Measured[]> {
  const { load } = stage;
  // One generator plays the people who open forms, the other those who post links meanwhile.
  const flood = await startLoadGenerator();
  const service = await stage.openService();
  const stalledService = await stage.openService();
  stalledService.faults.add({ method: 'GET', kind: 'stall', ms: STALL_MS });
  const bare = await stage.start(stage.bareBolt({ answers: true }));
  const warm = await stage.start(stage.app({ service, name: 'warm' }));
  const stalled = await stage.start(stage.app({ service: stalledService, name: 'stalled' }));
  // Nobody closes these forms, and each person's are listed when the next one opens.
  const command = { kind: 'command', until: 'views.open', people: COMMANDS } as const;
  const measure = (subject: Subject) => () =>
    timeDeliveries(load, subject, { ...command, perSecond: COMMANDS_A_SECOND, count: COMMANDS });
  const underLinks = async () => {
    const [times] = await Promise.all([measure(warm)(), postLinks(flood, warm)]);
    return times;
  };
  const contenders = {
    bare: measure(bare),
    warm: measure(warm),
    stalled: measure(stalled),
    underLinks,
  };
  const all = await compare(contenders, { rounds, say });
  flood.close();
  return [
    figure('p99, reference lists in memory', 'ms', all.warm.p99, atMost(TARGET_MS)),
    figure('p99, the service stalled from the start', 'ms', all.stalled.p99, atMost(TARGET_MS)),
    figure(
      `p99, while ${LINKS_A_SECOND} links per second are posted`,
      'ms',
      all.underLinks.p99,
      atMost(TARGET_MS),
    ),
    figure('p50, reference lists in memory', 'ms', all.warm.p50),
    figure('p50, the service stalled from the start', 'ms', all.stalled.p50),
    figure('p50, while links are posted', 'ms', all.underLinks.p50),
    figure('bare Bolt with a fixed form, p99', 'ms', all.bare.p99),
    figure('bare Bolt with a fixed form, p50', 'ms', all.bare.p50),
  ];
}

let floods = 0;

function postLinks(flood: LoadGenerator, { url }: Subject): Promise<unknown> {
  floods += 1;
  return flood.pace({
    kind: 'link',
    until: 'acknowledged',
    perSecond: LINKS_A_SECOND,
    count: LINKS,
    url,
    prefix: `f${floods}x`,
    urls: CARD_URLS,
  });
}

export const formRow: Row = {
  id: 'form',
  title: 'From a command to views.open',
  how: '50 commands per second by 250 people, from sending each command until the app’s call arrives.',
  run,
};
