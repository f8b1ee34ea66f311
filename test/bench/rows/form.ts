import { type LoadGenerator, startLoadGenerator } from '../load/load-generator.ts';
import { inMirroredOrder, spreadOf } from '../rounds.ts';
import type { Measured, Row, RowOptions } from '../row.ts';
import type { Subject } from '../subjects/subject.ts';
import { CARD_URLS, timeDeliveries } from './delivery-times.ts';

const COMMANDS_A_SECOND = 50;
/** One measurement: five seconds' worth. */
const COMMANDS = 250;
/** Posted at the same time, six times as many as people post in a busy minute (500). */
const LINKS_A_SECOND = 50;
const LINKS = (COMMANDS / COMMANDS_A_SECOND) * LINKS_A_SECOND;
const STALL_MS = 10_000;
const TARGET_MS = 10;

async function run(options: RowOptions): Promise<Measured[]> {
  // One generator plays the people who open forms, the other those who post links meanwhile.
  const flood = await startLoadGenerator();
  try {
    return await measureForms(options, flood);
  } finally {
    flood.close();
  }
}

async function measureForms(
  { stage, rounds, say }: RowOptions,
  flood: LoadGenerator,
): Promise<Measured[]> {
  const { load } = stage;
  const service = await stage.openService();
  const stalledService = await stage.openService();
  stalledService.faults.add({ method: 'GET', kind: 'stall', ms: STALL_MS });
  const bare = await stage.start(stage.bareBolt({ answers: true }));
  const warm = await stage.start(stage.app({ service, name: 'warm' }));
  const stalled = await stage.start(stage.app({ service: stalledService, name: 'stalled' }));
  const command = { kind: 'command', until: 'views.open' } as const;
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
  await inMirroredOrder(contenders, 1);
  const all = await inMirroredOrder(contenders, rounds, (round) => say(`round ${round}`));
  return [
    {
      what: 'p99, reference lists in memory',
      figure: spreadOf(all.warm.p99),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    {
      what: 'p99, the service stalled from the start',
      figure: spreadOf(all.stalled.p99),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    {
      what: `p99, while ${LINKS_A_SECOND} links per second are posted`,
      figure: spreadOf(all.underLinks.p99),
      unit: 'ms',
      target: { bound: 'at most', value: TARGET_MS },
    },
    { what: 'p50, reference lists in memory', figure: spreadOf(all.warm.p50), unit: 'ms' },
    {
      what: 'p50, the service stalled from the start',
      figure: spreadOf(all.stalled.p50),
      unit: 'ms',
    },
    { what: 'p50, while links are posted', figure: spreadOf(all.underLinks.p50), unit: 'ms' },
    { what: 'bare Bolt with a fixed form, p99', figure: spreadOf(all.bare.p99), unit: 'ms' },
    { what: 'bare Bolt with a fixed form, p50', figure: spreadOf(all.bare.p50), unit: 'ms' },
  ];
}

let floods = 0;

function postLinks(flood: LoadGenerator, { url }: Subject): Promise<unknown> {
  floods += 1;
  return flood.pace({
    ...{ kind: 'link', until: 'acknowledged', perSecond: LINKS_A_SECOND, count: LINKS },
    ...{ url, prefix: `f${floods}x`, workspaceIds: [flood.workspaceId] },
    urls: CARD_URLS,
  });
}

export const formRow: Row = {
  id: 'form',
  title: 'From a command to views.open',
  how: '50 commands per second, from sending each command until the app’s call arrives.',
  run,
};
