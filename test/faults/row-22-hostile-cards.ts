import type { Fault } from '../stand-ins/design-service/faults.ts';
import type { ApiCall } from '../stand-ins/slack/api-calls.ts';
import { checkShown, type Judgement } from './cards/check-shown.ts';
import { hostileCards } from './cards/hostile-card.ts';
import { measureHeavyAnswers } from './cards/measure-heavy-answers.ts';
import { costsAsText, isBounded } from './cost.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { mainJobProblem } from './main-job.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = 'hostile cards, HTML error pages, and truncated JSON';
const MUTATION =
  'entities are not escaped (escape.ts): 88 mentions and 18 forged links from 120 cards; facts are not shortened (card-blocks.ts): 175 refusals for 60 cards; answers of 4 MiB are read, and whole (client.ts, answer-json.ts): the first heavy answer ends the process';

const CARDS_AT_ONCE = 60;
const MOST_IN_A_MESSAGE = 3;
/** A card whose answer couldn't be read is read again after about a second. */
const SHOWN_WITHIN_MS = 60_000;
/** The share of cards whose first answer is broken. */
const BROKEN = 0.03;
const TELL_EVERY = 600;
const HUGE_BYTES = 1024 * 1024;
/** One heavy answer is read per this many cards. */
const CARDS_PER_HEAVY_ANSWER = 10;

const BROKEN_ANSWERS: readonly [Fault, ...Fault[]] = [
  { kind: 'html' },
  { kind: 'truncated-json' },
  { kind: 'empty-body' },
  { kind: 'wrong-content-type' },
  { kind: 'huge-body', bytes: HUGE_BYTES },
  { kind: 'status', status: 502, body: 'html' },
  { kind: 'status', status: 500, body: 'empty' },
];

/** Something that was shown, and the URL that it was shown for. */
type Shown = { shown: unknown; own: string };
type Posted = {
  urls: string[];
  read(): readonly Record<string, unknown>[];
  /** If it was left out while many cards were being read: shows it when they are done. */
  showLater?(): Promise<void>;
};

async function run(options: RowOptions): Promise<Figures> {
  const hostile = await showHostileCards(options);
  const heavy = await measureHeavyAnswers(
    options,
    Math.ceil(options.runs / CARDS_PER_HEAVY_ANSWER),
  );
  const counts = {
    ...hostile.counts,
    'heavy answers': heavy.costs.length,
    'not shown': hostile.counts['not shown'] + heavy.notShown,
  };
  const { invalid, mentions, crashes } = counts;
  const problem = hostile.problem ?? heavy.problem;
  return {
    row: 22,
    title: TITLE,
    counts,
    measured: {
      ...costsAsText(heavy.costs, 'heavy answer'),
      'a request afterwards': problem ?? 'works',
    },
    holds:
      counts['views shown'] > 0 &&
      problem === undefined &&
      isBounded(heavy.costs) &&
      invalid + mentions + crashes + counts['forged links'] + counts['not shown'] === 0,
    mutation: MUTATION,
  };
}

function showHostileCards({ seed, runs, say }: RowOptions) {
  return withSetting({ seed }, async (setting) => {
    const app = await setting.start();
    const chance = chanceOf(seed);
    const cards = hostileCards(seed, chance);
    const judgements: Judgement[] = [];
    let notShown = 0;
    for (let made = 0; made < runs; made += CARDS_AT_ONCE) {
      Object.assign(setting.service.answers, cards.answers());
      const count = Math.min(CARDS_AT_ONCE, runs - made);
      const ids = Array.from({ length: count }, () => setting.service.cards.add(cards.card()).id);
      const shown = await showAll(setting, chance, ids);
      notShown += shown.missing.length;
      for (const { urls } of shown.missing) say(`not shown: ${urls.join(' ')}`);
      judgements.push(...shown.all.map((one) => checkShown(one.shown, one.own)));
      if ((made / CARDS_AT_ONCE) % (TELL_EVERY / CARDS_AT_ONCE) === 0 && made > 0) {
        say(`${made} of ${runs} cards`);
      }
    }
    for (const link of judgements
      .flatMap((one) => [...one.mentions, ...one.forgedLinks])
      .slice(0, 10)) {
      say(`found: ${link}`);
    }
    const problem = await mainJobProblem(setting);
    const counts = {
      cards: runs,
      'views shown': judgements.length,
      invalid: setting.slack.apiCalls.filter(isRefused).length,
      mentions: judgements.flatMap(({ mentions }) => mentions).length,
      'forged links': judgements.flatMap(({ forgedLinks }) => forgedLinks).length,
      'not shown': notShown,
      crashes: app.hasEnded() ? 1 : 0,
    };
    return { counts, problem };
  });
}

/** Slack refused what the app wanted to show. */
const isRefused = ({ status, response }: ApiCall) =>
  status === 400 || /^invalid|^cannot_parse|too_long$/.test(String(response?.error));

/** A composer preview is shown at once or never, so only posted links get broken answers. */
function breakSome({ service }: Setting, chance: Chance, ids: readonly string[]): void {
  for (const cardId of ids.filter(() => chance.is(BROKEN))) {
    const fault = chance.pick(BROKEN_ANSWERS);
    service.faults.add({ ...fault, operation: 'getCard', cardId, times: 1 });
  }
}

/** Posts, previews, and asks for all of these cards at once, and waits until they are shown. */
async function showAll(setting: Setting, chance: Chance, ids: readonly string[]) {
  const posted: Posted[] = [];
  for (let at = 0; at < ids.length; ) {
    const size = 1 + chance.below(MOST_IN_A_MESSAGE);
    posted.push(await show(setting, chance, ids.slice(at, at + size)));
    at += size;
  }
  const isShown = ({ urls, read }: Posted) => read().length === urls.length;
  const shown = (some: Posted[]) =>
    setting.slack
      .until(() => some.every(isShown), 'all cards', SHOWN_WITHIN_MS)
      .catch(() => undefined);
  await shown(posted.filter(({ showLater }) => !showLater));
  // One by one: of several previews at once, some would be left out again.
  for (const preview of posted.filter((one) => !isShown(one))) {
    await preview.showLater?.();
    await shown([preview]);
  }
  const all = posted.flatMap(({ urls, read }): Shown[] =>
    read().map((shown) => ({ shown, own: String(shown.app_unfurl_url ?? urls[0]) })),
  );
  return { all, missing: posted.filter((one) => !isShown(one)) };
}

async function show(setting: Setting, chance: Chance, ids: readonly string[]): Promise<Posted> {
  const { acme, people, admin, general, cardUrl } = setting;
  const user = people[chance.below(people.length)] ?? admin;
  const me = acme.as(user);
  const urls = ids.map(cardUrl);
  const [id] = ids;
  if (ids.length === 1 && chance.is(0.2)) {
    const before = acme.ephemerals(user).length;
    await me.command(general, `status ${id}`);
    return {
      urls,
      read: () =>
        acme
          .ephemerals(user)
          .slice(before, before + 1)
          .map(asRecord),
    };
  }
  if (chance.is(0.15)) {
    let preview = await me.compose(general, urls.join(' '));
    return {
      urls,
      read: () => preview.attachments,
      async showLater() {
        preview = await me.compose(general, urls.join(' '));
      },
    };
  }
  breakSome(setting, chance, ids);
  const message = await me.post(general, urls.join(' '));
  return { urls, read: () => message.attachments };
}

const asRecord = (shown: object): Record<string, unknown> => ({ ...shown });

export const hostileCardsRow: Row = {
  row: 22,
  title: TITLE,
  runs: { full: 10_000, quick: 60 },
  run,
};
