import { APP } from '../../src/store/entries.ts';
import { WORKSPACE_TABLES } from '../../src/store/tables.ts';
import { WATCH_JOBS } from '../../src/watching/begin-watching.ts';
import type { Message, User } from '../stand-ins/slack/state/model.ts';
import type { Decision, History, Sent } from './scenario.ts';
import type { Happened } from './world/happened.ts';
import { cardsOf } from './world/people.ts';
import type { World } from './world/world.ts';

/** What must never happen, named as in docs/reliability.md. */
export type ProblemKind = 'lost' | 'doubled' | 'untold' | 'left over' | 'different';
export type Problem = { kind: ProblemKind; words: string };

type RequestRow = {
  id: string;
  reference: string;
  state: string;
  user_id: string;
  card_id: string | null;
  form: string;
};

/** How a notice about a request in this state begins. */
const HEADLINES: Record<string, RegExp> = {
  created: /^<@\w+> (requested|saved a draft of) /,
  rejected: /^Please fix your design request: /,
  waiting_for_key: /^Your design request is waiting: /,
  in_doubt: /^Did your design request arrive\? Please check: /,
};
/** A notice that may or may not have been posted is posted once more, after each interruption. */
const mostCopies = ({ happened }: World): number =>
  Math.max(2, 1 + happened.filter(({ kind }) => kind === 'is interrupted').length);

export async function check(world: World, history: History): Promise<Problem[]> {
  const { sent, links = [], toldOfRejectedKey = [], isUninstalled = false } = history;
  const { usesOfRejectedKey = 0 } = history;
  const doubled = sent.flatMap((one) => checkDoubled(world, one));
  if (isUninstalled) return [...doubled, ...(await checkNothingLeft(world))];
  const outside = world.outsideOfModel.map((words): Problem => ({ kind: 'different', words }));
  const requests = (await world.database.query('select * from requests')) as RequestRow[];
  return [
    ...doubled,
    ...outside,
    ...sent.flatMap((one) => checkOutcome(world, one, requests)),
    ...(history.hasProject ? requests.flatMap((request) => checkLinked(world, request)) : []),
    ...(history.hasWorkingKey ? requests.flatMap(checkWaits) : []),
    ...requests.flatMap((request) => checkNotices(world, request, sent)),
    ...links.flatMap(checkLink),
    ...toldOfRejectedKey.flatMap((admin) => checkRejectedKey(world, admin)),
    ...checkUses(usesOfRejectedKey),
    ...checkClaims(world),
    ...(await checkLeftOver(world)),
  ];
}

/** Only a process that the others consider alive claims jobs. */
const checkClaims = ({ happened }: World): Problem[] =>
  happened
    .filter(({ kind }) => kind === 'claims without a lease')
    .map(() => ({ kind: 'doubled', words: 'a job is claimed by a process without a lease' }));

const checkUses = (count: number): Problem[] =>
  count === 0 ? [] : [{ kind: 'left over', words: `calls made with a rejected key: ${count}` }];

const titleOf = ({ form }: RequestRow): string => JSON.parse(form).title;

const hasDecided = ({ decisions }: Sent, wanted: Decision): boolean =>
  decisions.some(({ decision }) => decision === wanted);

/** At most one card until its author decides, and one more for each time it is sent again. */
function checkDoubled(world: World, { title, decisions }: Sent): Problem[] {
  const counts = [0, ...decisions.map(({ cards }) => cards), cardsOf(world, title)];
  const allowed = [
    1,
    ...decisions.map(({ decision }) => (decision === 'Not there, send again' ? 1 : 0)),
  ];
  const isFine = allowed.every(
    (most, index) => (counts[index + 1] ?? 0) - (counts[index] ?? 0) <= most,
  );
  if (isFine) return [];
  const decided = decisions.map(({ decision, cards }) => `${decision} at ${cards}`).join(', ');
  const words = `“${title}” became ${counts.at(-1)} cards (${decided || 'nobody was asked'})`;
  return [{ kind: 'doubled', words }];
}

/** It is a card, or in a state that its author was told about. */
function checkOutcome(world: World, sent: Sent, requests: readonly RequestRow[]): Problem[] {
  const { title } = sent;
  const lost = (words: string): Problem[] => [{ kind: 'lost', words: `“${title}” ${words}` }];
  const rows = requests.filter((row) => titleOf(row) === title);
  const [row] = rows;
  if (!row || rows.length > 1) return lost(`was stored as ${rows.length} requests`);
  const isCard = cardsOf(world, title) > 0 || hasDecided(sent, 'Found it');
  switch (row.state) {
    case 'created':
      return isCard ? [] : lost('counts as created without a card');
    case 'discarded':
      return hasDecided(sent, 'Discard') ? [] : lost('was discarded, but not by its author');
    default:
      return row.state in HEADLINES ? [] : lost(`stays ${row.state}`);
  }
}

const checkWaits = (request: RequestRow): Problem[] =>
  request.state === 'waiting_for_key'
    ? [{ kind: 'lost', words: `“${titleOf(request)}” waits for a key, and there is one` }]
    : [];

/** Its card is known, whether the answer named it or not. */
function checkLinked({ service }: World, request: RequestRow): Problem[] {
  const title = titleOf(request);
  const isLinked = service.cards
    .all()
    .some((one) => one.id === request.card_id && one.title === title);
  if (request.state !== 'created' || isLinked) return [];
  return [{ kind: 'lost', words: `“${title}” is linked to ${request.card_id ?? 'no card'}` }];
}

/** Its author was told, in the right place, and not too often. */
function checkNotices(world: World, request: RequestRow, sent: readonly Sent[]): Problem[] {
  const { reference, state, user_id } = request;
  const title = titleOf(request);
  const place = state === 'created' ? (JSON.parse(request.form).shareIn ?? user_id) : user_id;
  const headline = HEADLINES[state];
  const tells = ({ where, text }: Shown) =>
    where === place && headline?.test(text) && text.includes(reference);
  // A message that was only changed notifies nobody, which is enough while the author just has to wait.
  const isTold =
    visibleMessages(world).some(tells) &&
    (state === 'waiting_for_key' || postedMessages(world).some(tells));
  const decisions = sent.find((one) => one.title === title)?.decisions.length ?? 0;
  const asked = 1 + decisions;
  const repeats = needlessRepeats(world, request);
  // Each decision may lead to the same question again.
  const isQuestion = (text: string) => HEADLINES.in_doubt?.test(text);
  const needless = [
    ...repeats.filter(isQuestion).slice(decisions),
    ...repeats.filter((text) => !isQuestion(text)),
  ];
  const posted = postedMessages(world).filter(({ text }) => text.includes(reference));
  const isMisplaced = ({ where, text }: Shown) =>
    where !== user_id && !(where === place && HEADLINES.created?.test(text));
  const untold = (words: string): Problem => ({ kind: 'untold', words });
  return [
    ...(headline && !isTold ? [untold(`its author was not told that “${title}” is ${state}`)] : []),
    ...posted.filter(isMisplaced).map(({ text }) => untold(`in the wrong place: ${text}`)),
    ...[...copiesOf(posted)]
      .filter(([, copies]) => copies > mostCopies(world) * asked)
      .map(([text, copies]) => untold(`posted ${copies} times: ${text}`)),
    ...needless.map((text) => untold(`posted again for no reason: ${text}`)),
  ];
}

function checkLink({ message, title }: { message: Message; title: string }): Problem[] {
  const isShown = message.attachments.some((shown) => JSON.stringify(shown).includes(title));
  return isShown ? [] : [{ kind: 'untold', words: `a link does not show “${title}”` }];
}

function checkRejectedKey(world: World, admin: User): Problem[] {
  const copies = world.acme
    .directMessages(admin)
    .filter(({ text }) => text.includes('no longer accepts')).length;
  if (copies > 0 && copies <= mostCopies(world)) return [];
  return [{ kind: 'untold', words: `${admin.name} was told ${copies} times about a rejected key` }];
}

function copiesOf(messages: readonly Shown[]): Map<string, number> {
  const copies = new Map<string, number>();
  for (const { where, text } of messages) {
    const name = `${text} in ${where}`;
    copies.set(name, (copies.get(name) ?? 0) + 1);
  }
  return copies;
}

type Shown = { where: string; text: string };

/** The messages in Slack now; for direct messages with the app, `where` is the person. */
function visibleMessages({ acme, general, slack }: World): Shown[] {
  const people = [...slack.state.users.values()].filter(({ isBot }) => !isBot);
  return [
    ...acme.messages(general).map(({ text }) => ({ where: general.id, text })),
    ...people.flatMap((user) =>
      acme.directMessages(user).map(({ text }) => ({ where: user.id, text })),
    ),
  ];
}

const postedMessages = ({ slack }: World): Shown[] =>
  slack.apiCalls
    .filter(({ method, response }) => method === 'chat.postMessage' && response?.ok === true)
    .map(({ args }) => ({ where: String(args.channel), text: String(args.text) }));

async function checkNothingLeft({ database, acme }: World): Promise<Problem[]> {
  const counts = await Promise.all(
    WORKSPACE_TABLES.map(async (table) => ({
      table,
      rows: await database.query(`select * from ${table} where workspace_id = '${acme.id}'`),
    })),
  );
  return counts
    .filter(({ rows }) => rows.length > 0)
    .map(({ table, rows }) => ({ kind: 'left over', words: `${rows.length} rows in ${table}` }));
}

async function checkLeftOver({ database }: World): Promise<Problem[]> {
  const leftOver = async (what: string, sql: string): Promise<Problem[]> =>
    (await database.query(sql)).map((row) => ({
      kind: 'left over',
      words: `${what}: ${JSON.stringify(row)}`,
    }));
  const ofNobody = WORKSPACE_TABLES.filter((table) => table !== 'installations').map((table) =>
    leftOver(
      `a row in ${table} of a workspace without the app`,
      `select workspace_id from ${table} where workspace_id not in (select workspace_id from installations union select '${APP}')`,
    ),
  );
  return (
    await Promise.all([
      leftOver(
        'an unfinished job',
        `select id, kind, state from jobs where state = 'running' or (state = 'ready' and kind <> '${WATCH_JOBS.read}')`,
      ),
      leftOver(
        'a watched card that is not read any more',
        `select card_id from watched_cards where '${WATCH_JOBS.read}/' || watch_id not in (select identity from jobs where state = 'ready' and identity is not null)`,
      ),
      leftOver('a failed job', "select id, kind, state from jobs where state = 'failed'"),
      leftOver(
        'a request whose author was not told',
        "select id, state, revision, announced_revision from requests where announced_revision < revision and state not in ('queued', 'sending')",
      ),
      leftOver(
        'a token whose exchange has not ended',
        'select workspace_id from installations where refreshing_until is not null',
      ),
      ...ofNobody,
    ])
  ).flat();
}

type Request = { id: string; reference: string };
/** A message, who posted it, and whether it is on disk that its author was told. */
type Posted = { message: string; process: string; isStored: boolean };

/**
 * Messages about a request that were posted again although the app knew that they had been: nothing
 * interrupted the process before it stored that the author was told.
 */
function needlessRepeats(world: World, request: Request): string[] {
  let posted: Posted[] = [];
  /** A process that was frozen goes on with what others may have done meanwhile. */
  const frozen = new Set<string>();
  const repeats: string[] = [];
  for (const { one, message } of relevant(world, request)) {
    if (message !== undefined) {
      // What a process sent right before it was frozen may arrive while it can't store that it has.
      const isRepeated = posted.some(
        (other) => other.message === message && (other.isStored || !frozen.has(other.process)),
      );
      if (isRepeated && !frozen.has(one.process)) repeats.push(message);
      posted.push({ message, process: one.process, isStored: false });
    } else if (one.kind === 'is interrupted') {
      if (one.by === 'freeze') frozen.add(one.process);
      posted = posted.filter(({ isStored }) => isStored);
    } else {
      posted = posted.map((known) => ({ ...known, isStored: true }));
    }
  }
  return repeats;
}

/** Interruptions, and what concerns the request; with the message if one was posted. */
function relevant({ slack, happened }: World, { id, reference }: Request) {
  const calls = slack.apiCalls.filter(({ method }) => method === 'chat.postMessage').values();
  const found: { one: Happened; message?: string }[] = [];
  for (const one of happened) {
    if (one.kind === 'posts') {
      const call = calls.next().value;
      const message = `${call?.args.text} in ${call?.args.channel}`;
      const isPosted = call?.response?.ok === true && message.includes(reference);
      if (isPosted) found.push({ one, message });
    } else if (one.kind === 'is interrupted') {
      found.push({ one });
    } else if (one.kind === 'stores that an author was told' && one.parameters.includes(id)) {
      found.push({ one });
    }
  }
  return found;
}
