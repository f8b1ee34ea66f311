import type { Fault } from '../stand-ins/design-service/faults.ts';
import { type Figures, inMs, median, type Row, type RowOptions } from './figures.ts';
import { requestInDoubt } from './in-doubt.ts';
import { chanceOf } from './random.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = '500, 502, 503, or 504 for a POST, executed or not at random, and for a GET';
const MUTATION =
  '5xx is retried, as the API reference advises (create-card.ts): 20 automatic second POSTs, 6 of 12 requests doubled; with five retries for a read, 6 calls per read';
const PEOPLE = 12;
const STATUSES = [500, 502, 503, 504] as const;
/** The other creations are answered normally. */
const STRUCK = 0.8;
/** Source: rule 3, reads are retried at most this often. */
const MOST_RETRIES = 3;
const READS_FOR_EACH_ORDER = 0.25;

/** One fault of each kind, all equally likely, although the service tries them in turn. */
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
    const { counts, automatic, askedAfterMs, holds } = await requestInDoubt({
      ...{ setting, chance, say },
      ...{ forms: runs, name: 'Request' },
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
        'median time until the author was asked': inMs(median(askedAfterMs)),
        'calls per read': String(Math.max(...reads.map(({ length }) => length))),
        'median delays between them': pauses.map(inMs).join(', '),
      },
      holds: holds && askedAfterMs.length > 0 && reads.length > 0 && tooOften + untold === 0,
      mutation: MUTATION,
    };
  });
}

type Read = { length: number; at: number[]; told: boolean };

/** Requests as many cards while every read fails, and counts the calls to the service. */
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
