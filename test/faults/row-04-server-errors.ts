import type { Fault } from '../stand-ins/design-service/faults.ts';
import { type Figures, inMs, median, type Row, type RowOptions } from './figures.ts';
import { orderInDoubt } from './in-doubt.ts';
import { chanceOf } from './random.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = '500, 502, 503 and 504 on POST, executed or not at random; on GET';
const MUTATION =
  '5xx is repeated, as api.md advises (create-card.ts): 20 automatic second POSTs, 6 of 12 orders doubled; with five retries for a read, 6 calls for one';
const PEOPLE = 12;
const STATUSES = [500, 502, 503, 504] as const;
/** The rest of the creations is answered well. */
const STRUCK = 0.8;
/** Source: rule 3, reads are repeated at most this often. */
const MOST_RETRIES = 3;
const READS_FOR_EACH_ORDER = 0.25;

/** One fault of each kind, all equally likely, though the service tries them one after the other. */
function creationFaults(): Fault[] {
  const kinds = STATUSES.flatMap((status) =>
    [true, false].map((executed) => ({ status, executed, kind: 'status' as const })),
  );
  const share = STRUCK / kinds.length;
  return kinds.map((kind, index) => ({
    ...kind,
    operation: 'createCard',
    probability: share / (1 - share * index),
  }));
}

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    await setting.start();
    for (const fault of creationFaults()) setting.service.faults.add(fault);
    const chance = chanceOf(seed);
    const { counts, automatic, askedAfterMs, holds } = await orderInDoubt({
      ...{ setting, chance, say },
      ...{ orders: runs, name: 'Order' },
    });
    const reads = await readInVain(setting, Math.ceil(runs * READS_FOR_EACH_ORDER));
    const tooOften = reads.filter(({ length }) => length > 1 + MOST_RETRIES).length;
    const untold = reads.filter(({ told }) => !told).length;
    const pauses = [0, 1, 2].map((retry) =>
      median(reads.flatMap(({ at }) => pauseBefore(at, retry))),
    );
    return {
      row: 4,
      title: TITLE,
      counts: { ...counts, reads: reads.length, 'reads untold': untold },
      measured: {
        'automatic second POSTs': String(automatic),
        'median time until its author was asked': inMs(median(askedAfterMs)),
        'calls for a read': String(Math.max(...reads.map(({ length }) => length))),
        'median pauses between them': pauses.map(inMs).join(', '),
      },
      holds: holds && askedAfterMs.length > 0 && reads.length > 0 && tooOften + untold === 0,
      mutation: MUTATION,
    };
  });
}

type Read = { length: number; at: number[]; told: boolean };

/** Asks for as many cards while every read fails, and looks how often the service was asked. */
async function readInVain(setting: Setting, count: number): Promise<Read[]> {
  const { service, acme, people, general, slack } = setting;
  STATUSES.forEach((status, index) => {
    const probability = 1 / (STATUSES.length - index);
    service.faults.add({ operation: 'getCard', kind: 'status', status, probability });
  });
  const ids = Array.from({ length: count }, (_, index) => `unreadable-${index + 1}`);
  return Promise.all(
    ids.map(async (id, index) => {
      const user = people[index % people.length];
      if (!user) throw new Error('nobody to ask');
      const { responseUrl } = await acme.as(user).command(general, `status ${id}`);
      const answered = () =>
        slack.apiCalls.some(
          ({ method, args }) =>
            method === 'response_url' && responseUrl.endsWith(String(args.path)),
        );
      const told = await slack.until(answered, `words about ${id}`, PATIENCE_MS).catch(() => false);
      const at = service
        .calls({ operation: 'getCard' })
        .filter(({ path }) => path.endsWith(`/${id}`))
        .map((call) => call.at.getTime());
      return { length: at.length, at, told };
    }),
  );
}
const PATIENCE_MS = 20_000;

function pauseBefore(at: number[], retry: number): number[] {
  const [before, after] = [at[retry], at[retry + 1]];
  return before === undefined || after === undefined ? [] : [after - before];
}

export const serverErrorsRow: Row = { row: 4, title: TITLE, runs: { full: 300, quick: 8 }, run };
