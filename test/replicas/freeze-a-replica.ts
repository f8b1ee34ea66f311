import { fileURLToPath } from 'node:url';
import type { AppProcess } from '../faults/app-process.ts';
import { memberOf, prepareForm, type SentForm, submit } from '../faults/forms.ts';
import {
  asksItsAuthor,
  creations,
  doubledReferences,
  eventually,
  messagesAbout,
} from '../faults/outcomes.ts';
import { type Figures, inMs, median, type Row, type RowOptions } from '../faults/row.ts';
import { type Setting, withSetting } from '../faults/setting.ts';
import { currentDeployment } from './deployment.ts';

const FREEZING_ENTRY = fileURLToPath(new URL('./entry-that-freezes.ts', import.meta.url));
const FROZEN_WITHIN_MS = 20_000;
/** A lease, the time a replica must be alive before it reclaims from others, and a busy machine. */
const ASKED_WITHIN_MS = 90_000;
const SENT_WITHIN_MS = 30_000;

/** How long it took until the author was asked, in ms; undefined if nobody did. */
type Frozen = { form: SentForm; askedAfterMs: number | undefined };

/** In each run one replica is frozen while it sends a request, and another takes over. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const all: Frozen[] = [];
    for (let turn = 1; turn <= runs; turn += 1) {
      all.push(await freezeOne(setting, `Freeze ${turn}`));
      say(`${turn} of ${runs} frozen and woken`);
    }
    const made = all.map(({ form }) => cardsOf(setting, form));
    const doubled = doubledReferences(setting);
    const askedAfter = all.flatMap(({ askedAfterMs }) => askedAfterMs ?? []);
    return {
      counts: {
        ok: made.filter((cards) => cards === 1).length,
        'asked and sent again': askedAfter.length,
        lost: made.filter((cards) => cards === 0).length,
        doubled: made.filter((cards) => cards > 1).length,
      },
      measured: {
        freezes: String(runs),
        'references doubled': String(doubled),
        'until the author was asked, p50': inMs(median(askedAfter)),
      },
      holds: askedAfter.length === runs && doubled === 0 && made.every((cards) => cards === 1),
    };
  });
}

async function freezeOne(setting: Setting, title: string): Promise<Frozen> {
  const frozen = setting.addReplica({ entry: FREEZING_ENTRY });
  await frozen.ready;
  const by = memberOf(setting);
  const form = await prepareForm(setting, by, title);
  await submit(form);
  const isFrozen = () => frozen.logLines.some((line) => line.includes('"frozen"'));
  if (!(await eventually(isFrozen, FROZEN_WITHIN_MS)))
    throw new Error('the replica did not freeze');
  const since = performance.now();
  const others = Array.from({ length: Math.max(1, (currentDeployment()?.replicas ?? 2) - 1) }, () =>
    setting.addReplica(),
  );
  await Promise.all(others.map(({ ready }) => ready));
  const asking = () => messagesAbout(setting, form).find(asksItsAuthor);
  const message = await eventually(asking, ASKED_WITHIN_MS);
  const askedAfterMs = message && performance.now() - since;
  if (message) {
    await by.click({ message, text: 'Not there, send again' });
    await eventually(() => cardsOf(setting, form) > 0, SENT_WITHIN_MS);
  }
  await wakeAndEnd(frozen);
  await Promise.all(others.map((other) => other.stop()));
  return { form, askedAfterMs };
}

/** What it was about to send is sent by then, or never: it ends when nothing is in progress. */
async function wakeAndEnd(frozen: AppProcess): Promise<void> {
  process.kill(frozen.pid, 'SIGCONT');
  await frozen.stop();
}

const cardsOf = (setting: Setting, { title }: SentForm) =>
  creations(setting).filter((one) => one.executed && one.title === title).length;

export const freezeReplicaRow: Row = {
  row: 1,
  title: 'one replica freezes (SIGSTOP) right before it sends, the author sends again, it resumes',
  mutation:
    'the lease is not checked again before the request is written (exchange.ts): 2 of 2 doubled',
  runs: { full: 5, quick: 1 },
  run,
};
