import { hasField } from '../sandbox/complete-form.ts';
import type { Filling } from '../stand-ins/design-service/answer-call.ts';
import type { Operation } from '../stand-ins/design-service/api-call.ts';
import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { Person } from '../stand-ins/slack/people/person.ts';
import { CLOCK_ENTRY } from './app-process.ts';
import { closeForms, prepareForm, submit } from './forms.ts';
import { setProject } from './in-doubt.ts';
import { mainJobProblem } from './main-job.ts';
import { eventually, messagesAbout } from './outcomes.ts';
import { type Cost, costOf, costsAsText, isBounded, untilIdle } from './process-cost.ts';
import { type Chance, chanceOf } from './random.ts';
import type { Figures, Row, RowOptions } from './row.ts';
import { MINUTE_MS, moveClocks, type Setting, withSetting } from './setting.ts';

/** Slightly less than the largest answer that the app reads (1 MiB). */
const BYTES = 1_040_000;

type HeavyAnswer = Extract<Fault, { kind: 'bloated' }>;

const heavy = (path: readonly string[], filling: Filling, status?: number): HeavyAnswer => ({
  kind: 'bloated',
  path: ['data', ...path],
  filling,
  bytes: BYTES,
  times: 1,
  ...(status === undefined ? {} : { status }),
});
const inField = (name: string, fillings: readonly Filling[]) =>
  fillings.map((filling) => heavy([name], filling));
const texts = (...units: string[]): Filling[] => units.map((text) => ({ text }));
const entries = (...all: string[]): Filling[] => all.map((entry) => ({ entry }));

const SHAPES: readonly Filling[] = [
  ...entries('{}', '1', '""', '[]', '{"id":#,"name":"n#"}'),
  ...([{ nested: 'lists' }, { nested: 'objects' }, { keys: 'numbered' }] as const),
];
/** Each as long as possible, and without visible content where possible. */
const HTML = [
  '<b>',
  '<ul><li>',
  '<table><tr><td>',
  '<blockquote>',
  '<p>\u200b</p>',
  '<li>\u200b',
  '</p>',
  '<a href=http://a.example>\u200b</a>',
  '<b style=font-weight:bold>',
  '<img alt=x>',
  '<!--',
  '<svg>',
  '<script>',
  '<br>',
  '&amp;',
  '&#x20;',
  '\n',
  ' \n',
  '\u0001',
  '\ud800',
  'e\u0301',
];
const FILE =
  '{"id":#,"name":"#.png","ext":"png","type":"final","urls":{"full":"https://files.example/#.png","large":"https://files.example/#.png?class="}}';

/** Answers to `GET /card/{id}` that are as expensive as possible. */
const HEAVY_CARDS: readonly HeavyAnswer[] = [
  ...inField('files', [...SHAPES, { entry: FILE }]),
  ...inField('labels', [...SHAPES, ...texts(',', 'a label of thirty characters,')]),
  ...inField('brand', SHAPES),
  ...inField('unknown', SHAPES),
  ...inField('title', texts(' >', 'x ', ':a', '*', '\u0001', '👩‍👩‍👧')),
  ...inField('dimensions', texts('\n>', '@a ', 'http://a.example ')),
  ...inField('due_date', texts('1 ', ' >')),
  ...inField('created_at', texts('1 ')),
  ...inField('description', texts(...HTML)),
  heavy([], { keys: 'numbered' }),
];

/** The same with status 400 and an explanation. */
const HEAVY_REFUSALS: readonly HeavyAnswer[] = [...SHAPES, ...texts('x ')].flatMap((filling) =>
  ['details', 'message'].map((path) => ({ ...heavy([], filling, 400), path: [path] })),
);

const HEAVY_LISTS: readonly HeavyAnswer[] = [
  ...SHAPES,
  ...entries('{"id":#,"name":"a name of thirty characters #","formats":["a","b","c"]}'),
  ...entries(`{"id":#,"name":"${'👩‍👩‍👧'.repeat(20)}"}`),
].map((filling) => heavy([], filling));

type Stage = Setting & { settled(): Promise<void> };
/** An answer, and what people do so that the app asks for it. */
type Case = readonly [fault: Fault, act: (stage: Stage) => Promise<void>];

/** The memory of a small process, in MiB. */
const HEAP_MIB = 256;
/** After this time a list has to be read again. */
const LIST_IS_OLD_MS = 11 * MINUTE_MS;
const PATIENCE_MS = 60_000;
const TELL_EVERY = 100;

const LISTS = [
  ['listBrands', 'brands'],
  ['listRequestTypes', 'types'],
  ['listTags', 'tags'],
] as const;

/** The first is an answer that once ended the app. It always runs first. */
const CASES: readonly [Case, ...Case[]] = [
  [{ ...heavy(['files'], { entry: '{}' }), operation: 'getCard' }, postLink],
  ...HEAVY_CARDS.slice(1).map((fault): Case => [{ ...fault, operation: 'getCard' }, postLink]),
  ...HEAVY_REFUSALS.map((fault): Case => [{ ...fault, operation: 'getCard' }, askForStatus]),
  ...LISTS.flatMap(([operation, name]) =>
    HEAVY_LISTS.map(
      (fault): Case => [{ ...fault, operation }, (stage) => readList(stage, operation, name)],
    ),
  ),
  ...HEAVY_LISTS.map((fault): Case => [{ ...fault, operation: 'listTasks' }, requestInDoubt]),
];

const chooseCase = (runsBefore: number, chance: Chance): Case =>
  runsBefore === 0 ? CASES[0] : chance.pick(CASES);

/** Each run is one heavy answer. Throws if one ends the app. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` };
    const app = await setting.start({ entry: CLOCK_ENTRY, env });
    await setProject(setting);
    const stage = { ...setting, settled: () => untilIdle(app.pid) };
    const chance = chanceOf(seed);
    const costs: Cost[] = [];
    let notShown = 0;
    while (costs.length < runs) {
      const [fault, act] = chooseCase(costs.length, chance);
      await moveClocks(setting, app, costs.length * LIST_IS_OLD_MS);
      setting.service.faults.add(fault);
      const { cost, result: problem } = await costOf(app.pid, async () => {
        const failed = await act(stage).then(() => undefined, String);
        await stage.settled();
        return failed;
      }).catch((error: unknown) => {
        throw app.hasEnded() ? new Error(`The app ended: ${JSON.stringify(fault)}`) : error;
      });
      setting.service.faults.clear();
      costs.push(cost);
      if (problem !== undefined) notShown += 1;
      if (problem !== undefined || !isBounded([cost])) {
        say(`${problem ?? `${Math.round(cost.busyMs)} ms`}: ${JSON.stringify(fault)}`);
      }
      if (costs.length % TELL_EVERY === 0) say(`${costs.length} of ${runs} heavy answers`);
    }
    // The last heavy answer may be the list of types that the form would offer.
    await moveClocks(setting, app, costs.length * LIST_IS_OLD_MS);
    await readList(stage, 'listRequestTypes', 'types');
    const afterwards = await mainJobProblem(setting);
    return {
      counts: { 'heavy answers': costs.length, 'not shown': notShown },
      measured: {
        ...costsAsText(costs, 'heavy answer'),
        'a request afterwards': afterwards ?? 'works',
      },
      holds: isBounded(costs) && notShown === 0 && afterwards === undefined,
    };
  });
}

const addCard = ({ service }: Setting) => service.cards.add({ title: 'Spring banner' }).id;

async function postLink(setting: Setting): Promise<void> {
  const { acme, admin, general, cardUrl, slack } = setting;
  const message = await acme.as(admin).post(general, cardUrl(addCard(setting)));
  await slack.until(() => message.attachments.length === 1, 'the card', PATIENCE_MS);
}

function askForStatus(stage: Stage): Promise<void> {
  return command(stage, `status ${addCard(stage)}`);
}

async function command({ acme, admin, general, slack }: Setting, typed: string): Promise<void> {
  const before = acme.ephemerals(admin).length;
  await acme.as(admin).command(general, typed);
  await slack.until(
    () => acme.ephemerals(admin).length > before,
    `the reply to ${typed}`,
    PATIENCE_MS,
  );
}

/** A stale list is shown once more while it is read again; the new one is shown the next time. */
async function readList(stage: Stage, operation: Operation, name: string): Promise<void> {
  const { ledger } = stage.service;
  const before = ledger.length;
  await command(stage, name);
  const isRead = () => ledger.slice(before).some((call) => call.operation === operation);
  if (!(await eventually(isRead, PATIENCE_MS))) throw new Error(`the ${name} are not read`);
  await command(stage, name);
  await searchInForm(stage);
}

/** Opens the form and chooses from its long menus, which are missing if nothing is listed. */
async function searchInForm({ acme, admin, general, slack, settled }: Stage): Promise<void> {
  const me = acme.as(admin);
  await me.command(general);
  await slack.until(() => me.currentView(), 'the form', PATIENCE_MS);
  // Other lists are stale too, and are read again while the form is open.
  await settled();
  for (const menu of ['Brand', 'Request type'].filter((label) => isSearched(me, label))) {
    const [found] = await me.suggest(menu, 'n');
    if (found) await me.fill({ [menu]: { value: found.value } });
  }
  await closeForms(me);
}

const isSearched = (me: Person, label: string) =>
  hasField(me, label) && me.field(label).element.type === 'external_select';

/** The service is searched for a request whose answer was lost, and then its author is asked. */
async function requestInDoubt(setting: Setting): Promise<void> {
  const { acme, admin, service, slack } = setting;
  const me = acme.as(admin);
  service.faults.add({ kind: 'drop-after-executing', operation: 'createCard', times: 1 });
  const form = await prepareForm(setting, me, `Poster ${service.cards.all().length}`);
  await submit(form);
  await slack.until(() => messagesAbout(setting, form).length > 0, 'the question', PATIENCE_MS);
  await closeForms(me);
}

export const heavyAnswersRow: Row = {
  row: 22,
  title: 'answers of the service that are as expensive to read as possible',
  mutation:
    'answers of 4 MiB are read, and whole (client.ts, answer.ts): the first heavy answer ends the process',
  runs: { full: 1_000, quick: 6 },
  run,
};
