import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../src/store/database.ts';
import { installAndConnect } from '../../isolation/connect-tenants.ts';
import { currentDeployment } from '../../replicas/deployment.ts';
import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import type { Channel, Message, User } from '../../stand-ins/slack/state/model.ts';
import type { Workspace } from '../../stand-ins/slack/workspace.ts';
import { CLOCK_ENTRY } from '../app-process.ts';
import { memberOf } from '../forms.ts';
import { eventually } from '../outcomes.ts';
import { type Chance, chanceOf } from '../random.ts';
import { dueJobs, HOUR_MS, moveClocks, NO_CARD, SECOND_MS, type Setting } from '../setting.ts';
import { firstStateOf, planCard, type TeamChange } from './team.ts';

type Team = { workspace: Workspace; channel: Channel; admin: User; member: User; zone: number };

/** A card that someone watches from the preview under its link, and what happens to it. */
export type WatchedCard = {
  id: string;
  team: Team;
  message: Message;
  firstStatus: string;
  changes: TeamChange[];
};

/** The app with watched cards, and a clock that only moves when it is told to. */
export type Day = Awaited<ReturnType<typeof openDay>>;

const POLL_MS = 3;
const SETTLED_WITHIN_MS = 120_000;
const WATCHED_WITHIN_MS = 10_000;
/** Between two links that are posted before the day begins. */
const APART_MS = 4 * SECOND_MS;
/** The teams' offsets from UTC, in hours. */
const ZONES = [1, 0, -5, 2, -8, 5.5, 8];
/** A Monday. */
const BEGINS_AT = Date.UTC(2027, 2, 1, 9);

/** Starts the app, and lets people in each workspace watch its cards: the first one has most of them. */
export async function openDay(
  setting: Setting,
  options: { seed: number; teams: number; cards: number; hours: number },
) {
  const chance = chanceOf(options.seed);
  const { replicas = 1 } = currentDeployment() ?? {};
  const processes = currentDeployment()
    ? Array.from({ length: replicas }, () => setting.addReplica({ entry: CLOCK_ENTRY }))
    : [await setting.start({ entry: CLOCK_ENTRY })];
  const [url = ''] = await Promise.all(processes.map(({ ready }) => ready));
  const db = openDatabase(setting.database);
  const teams: Team[] = [];
  const cards: WatchedCard[] = [];
  const day = {
    teams,
    cards,
    processes,
    /** In ms since 1970, by all clocks. */
    async moveTo(at: number) {
      for (const app of processes) await moveClocks(setting, app, at - Date.now());
    },
    /** Makes every process look for due work, and resolves when nothing is due. */
    async settle() {
      const { general, slack, clock } = setting;
      const isSettled = async () => (await dueJobs(db, clock.now())) === 0;
      if (await isSettled()) return;
      for (const _ of processes) await memberOf(setting).post(general, NO_CARD);
      await slack.idle();
      const deadline = performance.now() + SETTLED_WITHIN_MS;
      while (!(await isSettled())) {
        if (performance.now() > deadline) throw new Error('The app has not become idle');
        await sleep(POLL_MS);
      }
    },
    now: () => setting.clock.now().getTime(),
    close: () => db.destroy(),
  };

  await day.moveTo(BEGINS_AT);
  for (let index = 0; index < options.teams; index += 1) {
    teams.push(await addTeam(setting, url, index));
  }
  const owners = ownersOf(teams, options.cards);
  let at = day.now();
  for (const [index, team] of owners.entries()) {
    at += APART_MS;
    await day.moveTo(at);
    cards.push(
      await addCard(setting, { index, team, account: accountOf(teams.indexOf(team)), chance }),
    );
  }
  const watchers = db.selectFrom('card_watchers').select('workspaceId');
  const areAllWatched = async () => (await watchers.execute()).length === options.cards;
  if (!(await eventually(areAllWatched, WATCHED_WITHIN_MS))) {
    throw new Error('Not every card is watched');
  }
  const until = at + options.hours * HOUR_MS;
  for (const card of cards) {
    const { firstStatus, team } = card;
    const plan = { state: stateNamed(firstStatus), zone: team.zone, from: at, until };
    card.changes = planCard(chance, plan);
  }
  return day;
}

const accountOf = (team: number) => `account-of-${team}`;

async function addTeam(setting: Setting, url: string, index: number): Promise<Team> {
  const { slack, service } = setting;
  const workspace =
    index === 0 ? setting.acme : slack.addWorkspace({ name: `Company ${index}`, installed: false });
  const admin = index === 0 ? setting.admin : workspace.addUser({ name: 'Ada Admin', admin: true });
  const member = setting.people[index] ?? workspace.addUser({ name: 'Mia Member' });
  const channel =
    index === 0
      ? setting.general
      : workspace.addChannel({ name: 'general', members: [admin, member] });
  const key = service.issueKey({ account: accountOf(index), requestsPerMinute: 60 });
  await installAndConnect({ app: { url }, slack }, { workspace, channel, by: admin, key });
  const zone = ZONES[index % ZONES.length] ?? 0;
  return { workspace, channel, admin, member, zone };
}

/** Which team each card belongs to: as in life, a few have most of them. */
function ownersOf(teams: readonly Team[], cards: number): Team[] {
  const shares = teams.map((_, index) => 1 / (index + 1));
  const all = shares.reduce((sum, share) => sum + share, 0);
  return Array.from({ length: cards }, (_, card) => {
    let rest = ((card * 0.618_034) % 1) * all;
    const owner = teams.find((_team, index) => {
      rest -= shares[index] ?? 0;
      return rest < 0;
    });
    return owner ?? (teams[0] as Team);
  });
}

async function addCard(
  setting: Setting,
  { index, team, account, chance }: { index: number; team: Team; account: string; chance: Chance },
): Promise<WatchedCard> {
  const { service, cardUrl } = setting;
  const status = STATUSES[firstStateOf(chance)];
  const { id } = service.cards.add({
    title: `Card ${index + 1}`,
    status,
    account,
  });
  const person = team.workspace.as(team.member);
  const message = await person.post(team.channel, cardUrl(id));
  if (!(await eventually(() => message.attachments[0], SETTLED_WITHIN_MS))) {
    throw new Error('A link was not unfurled');
  }
  await person.click({ message, text: 'Watch' });
  return { id, team, message, firstStatus: status.name, changes: [] };
}

function stateNamed(name: string) {
  const found = Object.entries(STATUSES).find(([, status]) => status.name === name);
  return (found?.[0] ?? 'toDo') as Parameters<typeof planCard>[1]['state'];
}
