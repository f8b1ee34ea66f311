import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { installAcme } from '../isolation/connect-tenants.ts';
import { install, PUBLIC_URL } from '../journeys/browser.ts';
import { currentDeployment } from '../replicas/deployment.ts';
import type { FieldValue } from '../stand-ins/slack/people/field-values.ts';
import { bytesOf, type FileOptions, type StoredFile } from '../stand-ins/slack/state/files.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { type AppProcess, CLOCK_ENTRY } from './app-process.ts';
import { forgedLink } from './files/forged-links.ts';
import { cardTitled, memberOf, prepareForm, type SentForm, submit } from './forms.ts';
import { send } from './fuzz/send.ts';
import { eventually } from './outcomes.ts';
import { costOf } from './process-cost.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Figures, inMs, p99, type Row, type RowOptions } from './row.ts';
import {
  HOUR_MS,
  moveClocks,
  NO_CARD,
  type Setting,
  withDatabase,
  withSetting,
} from './setting.ts';

const PATIENCE_MS = 30_000;
const MIB = 1024 * 1024;
const FORGERIES_PER_RUN = 40;
/** What the app passes on at most. */
const LARGEST_BYTES = 500_000_000;
/** A smaller run downloads less, but more than memory may grow by. */
const HUGE_BYTES = { quick: 200_000_000, full: LARGEST_BYTES };
const LARGE_BYTES = { quick: 2_500_000, full: 5_000_000 };
/** Of each, as over a network: the other side runs in this process, and must not be what is measured. */
const LARGE_BYTES_PER_SECOND = 4_000_000;
const LARGE_AT_ONCE = 24;
/** V8 frees buffers once there are about 64 MiB of them, however large the file is. */
const GROWTH_BELOW_MIB = 150;
const PAUSE_MS = 20;
/** Slack waits no longer. */
const P99_BELOW_MS = 3_000;
const LIFE_MS = 7 * 24 * HOUR_MS;
const PICTURE = 'Secret-moodboard';

type Stage = Setting & { app: AppProcess; url: string; say: (progress: string) => void };

const NO_FILES = {
  'downloaded whole': 0,
  'damaged or cut': 0,
  'unusable and told': 0,
  untold: 0,
  'links refused': 0,
  'links answered otherwise': 0,
  'calls to Slack for refused links': 0,
};
type Tally = typeof NO_FILES;

/** In each run, files of a request are downloaded in every way, then links to them are forged. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, many: true, people: 1 }, async (setting) => {
    const chance = chanceOf(seed);
    const stage = await openStage(setting, say);
    const tally: Tally = { ...NO_FILES };
    for (let round = 0; round < runs; round += 1) {
      await downloadInEveryWay(stage, chance, { tally, round });
      await tellAboutUnusable(stage, chance, { tally, round });
      say(`${round + 1} of ${runs} rounds`);
    }
    const size = runs < filesRow.runs.full ? 'quick' : 'full';
    const cost = await measureLarge(stage, tally, size);
    await expireAndLeave(stage, tally);
    const leaks = leaksIn(stage);
    return {
      counts: {
        ...tally,
        leaks,
        crashes: stage.app.hasEnded() ? 1 : 0,
      },
      measured: {
        [`memory growth during ${inMb(HUGE_BYTES[size])}`]: `${Math.round(cost.huge / MIB)} MiB`,
        [`during ${LARGE_AT_ONCE} downloads of ${inMb(LARGE_BYTES[size])} at once`]: `${Math.round(cost.many / MIB)} MiB`,
        'p99 of ordinary acknowledgments meanwhile': inMs(p99(cost.times)),
      },
      holds:
        tally['damaged or cut'] + tally.untold + leaks === 0 &&
        tally['links answered otherwise'] + tally['calls to Slack for refused links'] === 0 &&
        tally['downloaded whole'] > 0 &&
        tally['links refused'] > 0 &&
        Math.max(cost.huge, cost.many) < GROWTH_BELOW_MIB * MIB &&
        p99(cost.times) < P99_BELOW_MS,
    };
  });
}

const inMb = (bytes: number) => `${bytes / 1_000_000} MB`;

async function openStage(setting: Setting, say: Stage['say']): Promise<Stage> {
  const env = { LOG_LEVEL: 'debug' };
  const app = await setting.start({ entry: CLOCK_ENTRY, env });
  const url = await app.ready;
  await installAcme(setting, url, setting.service.issueKey());
  return { ...setting, app, url, say };
}

type Files = Record<string, FieldValue>;

async function withFiles(stage: Stage, title: string, files: Files): Promise<SentForm> {
  const by = memberOf(stage);
  const form = await prepareForm(stage, by, title);
  await by.fill(files);
  return form;
}

/** @returns the ID of the card that the form became */
async function cardOf(stage: Stage, { title }: SentForm): Promise<string> {
  const id = await eventually(() => cardTitled(stage, title)?.id, PATIENCE_MS);
  if (!id) throw new Error(`“${title}” did not become a card`);
  return id;
}

const named = ({ slack }: Stage, name: string): StoredFile => {
  const file = [...slack.state.files.values()].findLast((one) => one.name === name);
  if (!file) throw new Error(`There is no file ${name}`);
  return file;
};

function digestOf(file: StoredFile): string {
  const hash = createHash('sha256');
  for (const piece of bytesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

type Round = { tally: Tally; round: number };
type Judged = {
  download: Stage['service']['downloads']['all'][number] | undefined;
  digest: string | undefined;
};

function judge({ say }: Stage, tally: Tally, { download, digest }: Judged): void {
  const isWhole = digest !== undefined && download?.sha256 === digest;
  tally[isWhole ? 'downloaded whole' : 'damaged or cut'] += 1;
  if (isWhole) return;
  const { url = '', status, bytes, error } = download ?? {};
  say(`damaged: ${url.split('/').at(-1)}, status ${status}, ${bytes} bytes, ${error}`);
}

/** At once, again, all at the same time, and interrupted and repeated; then forges links from these. */
async function downloadInEveryWay(stage: Stage, chance: Chance, { tally, round }: Round) {
  const { service } = stage;
  const files = ['png', 'pdf', 'mov'].map((ext) => ({
    name: `${PICTURE}-${round}.${ext}`,
    size: 1 + chance.below(400_000),
  }));
  const form = await withFiles(stage, `Files ${round + 1}`, { 'Reference files': files });
  await submit(form);
  const cardId = await cardOf(stage, form);
  await service.downloads.idle();
  const links = service.downloads.addressesOf(cardId);
  const digests = files.map(({ name }) => digestOf(named(stage, name)));
  const attempts = [
    service.downloads.all.filter((one) => one.cardId === cardId),
    ...(await Promise.all([service.downloads.card(cardId), service.downloads.card(cardId)])),
    await Promise.all(links.map((link) => interrupted(stage, link, chance))),
  ];
  for (const attempt of attempts) {
    for (const [index, download] of attempt.entries()) {
      judge(stage, tally, { download, digest: digests[index] });
    }
  }
  const [one = '', other = ''] = links;
  const forged = Array.from({ length: FORGERIES_PER_RUN }, () => forgedLink(one, other, chance));
  await expectRefused(stage, forged, tally);
}

/** The first part, and then all of it; that may be cut off, too, by the fault of another one. */
async function interrupted({ service, slack }: Stage, link: string, chance: Chance) {
  const cut = { kind: 'cut_after', bytes: chance.below(100_000), method: 'file_download' } as const;
  if (chance.is(0.5)) slack.faults.add({ ...cut, times: 1 });
  let last = await service.downloads.get(link, { leaveAfter: 1 + chance.below(200_000) });
  for (let tries = 0; tries < REPEATED_AT_MOST && !last.download.sha256; tries += 1) {
    last = await service.downloads.get(link);
  }
  return last.download;
}

const REPEATED_AT_MOST = 5;

const NOT_FOUND = '{"error":"not_found"}';

async function expectRefused({ slack, url }: Stage, links: readonly string[], tally: Tally) {
  const callsAbout = () =>
    slack.apiCalls.filter(({ method }) => method === 'files.info' || method === 'file_download');
  const before = callsAbout().length;
  await Promise.all(
    links.map(async (link) => {
      const response = await fetch(link.replace(PUBLIC_URL, url));
      const isSame = response.status === 404 && (await response.text()) === NOT_FOUND;
      tally[isSame ? 'links refused' : 'links answered otherwise'] += 1;
    }),
  );
  tally['calls to Slack for refused links'] += callsAbout().length - before;
}

/** A file, what its author reads, and what it becomes after it was attached. */
type Unusable = [file: FileOptions, words: string, change?: Partial<StoredFile>];

const UNUSABLE: readonly [Unusable, ...Unusable[]] = [
  [{ name: `${PICTURE}-deleted.png` }, 'was deleted in Slack', { status: 'deleted' }],
  [{ name: `${PICTURE}-hidden.png` }, 'can’t open', { sharedWithApp: false }],
  [{ name: `${PICTURE}-large.mov`, size: LARGEST_BYTES + 1 }, 'is larger than 500 MB'],
  [{ name: `${PICTURE}-plan`, external: 'https://docs.example.com/1' }, 'isn’t stored in Slack'],
];

/** A file that can't be passed on: its author is told, and no card is created. One that uploads is waited for. */
async function tellAboutUnusable(stage: Stage, chance: Chance, { tally, round }: Round) {
  const { acme, people, service } = stage;
  const [file, words, change] = chance.pick(UNUSABLE);
  const form = await withFiles(stage, `Unusable ${round + 1}`, { 'Reference files': [file] });
  Object.assign(named(stage, file.name), change);
  const { errors } = await form.by.submit(form.view);
  const notes = () => acme.directMessages(people[0] ?? stage.admin).map(textOfMessage);
  const isTold = () =>
    Object.values(errors).join().includes(words) ||
    notes().some((note) => note.includes(form.title) && note.includes(words));
  const told = (await eventually(isTold, PATIENCE_MS)) === true;
  tally[told && !cardTitled(stage, form.title) ? 'unusable and told' : 'untold'] += 1;

  const name = `${PICTURE}-uploading-${round}.png`;
  const waiting = await withFiles(stage, `Uploading ${round + 1}`, {
    'Reference files': [{ name, size: 1 + chance.below(100_000) }],
  });
  const uploading = named(stage, name);
  uploading.status = 'uploading';
  await submit(waiting);
  const isAsked = () => stage.slack.apiCalls.some(({ args }) => args.file === uploading.id);
  await eventually(isAsked, PATIENCE_MS);
  uploading.status = 'ready';
  const cardId = await cardOf(stage, waiting);
  await service.downloads.idle();
  const [download] = service.downloads.all.filter((one) => one.cardId === cardId);
  judge(stage, tally, { download, digest: digestOf(uploading) });
}

/** One huge file, then many large ones at once while Slack delivers events. */
async function measureLarge(stage: Stage, tally: Tally, size: 'quick' | 'full') {
  const { app, service } = stage;
  service.downloads.atOnce = false;
  const huge = { name: `${PICTURE}-huge.mov`, size: HUGE_BYTES[size] };
  const large = { name: `${PICTURE}-long.mov`, size: LARGE_BYTES[size] };
  const form = await withFiles(stage, 'Large files', { 'Reference files': [huge, large] });
  await submit(form);
  const [hugeLink = '', largeLink = ''] = service.downloads.addressesOf(await cardOf(stage, form));
  const grownBy = async (work: () => Promise<void>) =>
    (await costOf(app.pid, work)).cost.grownBytes;
  const digests = new Map([huge, large].map(({ name }) => [name, digestOf(named(stage, name))]));
  const check = async (link: string, name: string) => {
    const { download } = await service.downloads.get(link);
    judge(stage, tally, { download, digest: digests.get(name) });
  };
  const hugeGrowth = await grownBy(() => check(hugeLink, huge.name));
  stage.slack.faults.add({
    kind: 'paced',
    bytesPerSecond: LARGE_BYTES_PER_SECOND,
    method: 'file_download',
  });
  const acknowledging = await keepAcknowledging(stage);
  const many = await grownBy(async () => {
    await Promise.all(Array.from({ length: LARGE_AT_ONCE }, () => check(largeLink, large.name)));
  });
  stage.slack.faults.clear();
  return { huge: hugeGrowth, many, times: await acknowledging.stop() };
}

/** Sends ordinary events, one after the other. @returns what stops that, and gives the ms of each acknowledgment */
async function keepAcknowledging({ acme, admin, general, slack, url }: Stage) {
  // A link on our domain that isn't a card: it is stored and acknowledged, and has no effect.
  await acme.as(admin).post(general, NO_CARD);
  await slack.idle();
  const model = slack.deliveries.findLast(({ kind }) => kind === 'event');
  const agent = new Agent({ keepAlive: true });
  const to = { url: `${url}/slack/events`, signingSecret: slack.signingSecret, agent };
  const times: number[] = [];
  let isOver = false;
  async function untilOver(): Promise<number[]> {
    while (!isOver) {
      const body = JSON.stringify({ ...model?.payload, event_id: `EvOrdinary${times.length}` });
      const { status, ms } = await send(to, { body, contentType: 'application/json' });
      if (status !== 200) throw new Error(`An ordinary event was answered ${status}.`);
      times.push(ms);
      await sleep(PAUSE_MS);
    }
    return times;
  }
  const all = untilOver();
  // It is awaited below.
  all.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return all;
    },
  };
}

/** Links that have expired, and links of a workspace that has uninstalled the app, and then installs it again. */
async function expireAndLeave(stage: Stage, tally: Tally): Promise<void> {
  const { acme, admin, app, service, slack, url } = stage;
  const links = [...new Set(service.downloads.all.map((download) => download.url))];
  await moveClocks(stage, app, LIFE_MS + HOUR_MS);
  await expectRefused(stage, links, tally);
  await moveClocks(stage, app, 0);
  acme.uninstall();
  await slack.idle();
  // Stored when it is acknowledged; what it means becomes true a moment later.
  await eventually(() => hasNo(stage, 'installations'), PATIENCE_MS);
  // Another replica may believe for five seconds that the app is installed, and ask Slack.
  if (!currentDeployment()) await expectRefused(stage, links, tally);
  await eventually(() => hasNo(stage, 'requests'), PATIENCE_MS);
  await expectRefused(stage, links, tally);
  await install({ app: { url }, slack }, acme, admin);
  await expectRefused(stage, links, tally);
}

const hasNo = ({ database }: Stage, table: 'installations' | 'requests'): Promise<boolean> =>
  withDatabase(database, async (db) => {
    const rows = await db.selectFrom(table).select('workspaceId').execute();
    return rows.length === 0;
  });

/** Links, addresses, names, and tokens in what the app logged. */
function leaksIn({ app, service, slack }: Stage): number {
  const secrets = [
    ...service.downloads.all.map(({ url }) => url.split('/').at(-2) ?? url),
    ...slack.state.tokens.keys(),
    'files-pri',
    PICTURE,
  ];
  const log = app.logLines.join('\n');
  return [...new Set(secrets)].filter((secret) => log.includes(secret)).length;
}

export const filesRow: Row = {
  row: 23,
  title:
    'files: deleted, uploading, 500 MB, forbidden; links guessed, changed, expired, of others, after an uninstall',
  mutation:
    'signatures are compared as bytes, not as text (file-links.ts): 3 of 80 forged links answered; expiry is not checked (file-links.ts): 10 of 10 expired links answered; the request is not looked up (file-routes.ts): 10 of 10 links of a workspace that left and came back answered; files are not checked before sending (prepare-card.ts): 1 of 2 authors untold, 2 damaged downloads; the whole file is read first (file-routes.ts): growth 505 MiB; the address is logged when a download ends early (file-routes.ts): 4 leaks',
  runs: { full: 15, quick: 2 },
  run,
};
