import { requestInDoubt, setProject } from './in-doubt.ts';
import { chanceOf } from './random.ts';
import { type Figures, inMs, median, type Row, type RowOptions } from './row.ts';
import { withSetting } from './setting.ts';

const PEOPLE = 12;
/** The other creations are answered, so that “Not there, send again” ends at some point. */
const DROPPED = 0.75;

/** Half of the runs are requests without a project to search, half with one. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    await setting.start();
    const { faults } = setting.service;
    const chance = chanceOf(seed);
    const drop = { operation: 'createCard', kind: 'drop-after-executing' } as const;
    const half = Math.ceil(runs / 2);

    faults.add({ ...drop, probability: DROPPED });
    const asking = await requestInDoubt({ setting, chance, say, forms: half, name: 'Asked' });
    faults.clear();
    await setProject(setting);
    faults.add(drop);
    const looking = await requestInDoubt({ setting, chance, say, forms: half, name: 'Looked for' });

    const { ok, lost, doubled, untold, ...askedAndDecided } = asking.counts;
    const automatic = asking.automatic + looking.automatic;
    const found = looking.counts.ok;
    return {
      counts: {
        ok,
        ...askedAndDecided,
        'found by searching': found,
        untold: untold + looking.counts.untold,
        lost: lost + looking.counts.lost,
        doubled: doubled + looking.counts.doubled,
      },
      measured: {
        'automatic second POSTs': String(automatic),
        'median time until the author was asked': inMs(median(asking.askedAfterMs)),
        'until it was found': inMs(median(looking.confirmedAfterMs)),
      },
      holds: asking.askedAfterMs.length > 0 && found === half && asking.holds && looking.holds,
    };
  });
}

export const droppedAnswerRow: Row = {
  row: 2,
  title: 'the service executes the POST, then the connection drops',
  mutation:
    'a drop after sending counts as “not sent” (card.ts): 32 automatic second POSTs, 11 of 12 requests doubled',
  runs: { full: 400, quick: 12 },
  run,
};
