import { workspaceNamed } from '../installations/ids.ts';
import { installAcme } from '../isolation/connect-tenants.ts';
import { keyMarked, startMarkingService } from '../isolation/marking-service.ts';
import { currentDeployment } from '../replicas/deployment.ts';
import { isObject } from '../stand-ins/slack/json.ts';
import { type AppProcess, CLOCK_ENTRY } from './app-process.ts';
import { eventually } from './outcomes.ts';
import { type Posted, postLink, postLinks, unfurlsOf } from './posting.ts';
import { chanceOf } from './random.ts';
import type { Figures, Row, RowOptions } from './row.ts';
import {
  HOUR_MS,
  MINUTE_MS,
  moveClocks,
  type Setting,
  withDatabase,
  withSetting,
} from './setting.ts';

const EVENTS = 50;
/** Tokens last 12 hours and are renewed two hours before (Slack's token rotation). */
const DUE_AFTER_MS = 10 * HOUR_MS + MINUTE_MS;
const EXPIRED_AFTER_MS = 12 * HOUR_MS + MINUTE_MS;
/** After a clock has jumped, the budget may take two minutes to recover. */
const PATIENCE_MS = 150_000;
/** What the app logs after its last attempt. */
const NOT_RENEWED = 'could not renew a token';
/** Slack's errors for a token that it doesn't accept. */
const REFUSED = new Set(['token_expired', 'token_revoked', 'invalid_auth', 'account_inactive']);
/**
 * A modal is redrawn with the client that drew it 1.5 s before, and here the clock jumps in between. Five seconds after
 * its start, the app asks with its stored token whether it is still installed; if that has expired, nothing is deleted.
 */
const MAY_BE_REFUSED = new Set(['views.update', 'auth.test']);

/** What happens during the renewal; each of these once per run. */
const WAYS = ['due', 'expired', 'the answer lost', 'Slack failing', 'the process killed'] as const;
type Way = (typeof WAYS)[number];

type Round = {
  way: Way;
  unfurled: number;
  exchanged: number;
  /** The methods of calls refused because of their token. */
  refused: string[];
  renewed: boolean;
};

function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, many: true, tokenRotation: true, people: 4 }, async (setting) => {
    const service = await startMarkingService();
    setting.env.DESIGN_API_BASE_URL = service.url;
    try {
      let app = await setting.start({ entry: CLOCK_ENTRY });
      await installAcme(setting, await app.ready, keyMarked('A'));
      const rounds: Round[] = [];
      for (let done = 0; done < runs; done += 1) {
        for (const way of WAYS) {
          const struck = await strike(setting, app, { way, seed: seed + rounds.length });
          app = struck.app;
          rounds.push(struck.round);
        }
        say(`${done + 1} of ${runs}`);
      }
      await app.stop();
      return figuresOf(rounds);
    } finally {
      await service.close();
    }
  });
}

/** The clock moves until the token is due, and then many events arrive at once. */
async function strike(
  setting: Setting,
  running: AppProcess,
  { way, seed }: { way: Way; seed: number },
): Promise<{ round: Round; app: AppProcess }> {
  const { slack, clock } = setting;
  const chance = chanceOf(seed);
  let app = running;
  const known = slack.apiCalls.length;
  const failures = () => app.logLines.filter((line) => line.includes(NOT_RENEWED)).length;
  const failedBefore = failures();
  const repair = obstruct(setting, way);
  await moveClocks(
    setting,
    app,
    clock.offsetMs + (way === 'expired' ? EXPIRED_AFTER_MS : DUE_AFTER_MS),
  );
  const posted = await postLinks(setting, chance, EVENTS);
  const others: Posted[] = [];
  if (way === 'the process killed') {
    await eventually(() => exchangesSince(setting, known).length > 0, PATIENCE_MS);
    await app.kill();
    const killedAt = clock.now().getTime();
    app = await setting.start({ entry: CLOCK_ENTRY });
    // As if it took no time: Slack accepts the used refresh token for a short time only, which is over on a busy machine.
    await moveClocks(setting, app, clock.offsetMs - (clock.now().getTime() - killedAt));
    // The app sleeps by the real clock; any event wakes it.
    others.push(await postLink(setting, chance));
  }
  // Slack retries what it couldn't deliver while the process was down.
  await slack.idle();
  await deliverAgain(setting, posted);
  const isUnfurled = (one: Posted) => unfurlsOf(setting, one) > 0;
  await eventually(() => posted.every(isUnfurled), PATIENCE_MS);
  // Only then may the clock end the claim: it lasts longer than all attempts, unless the clock jumps between them.
  if (way === 'Slack failing') await eventually(() => failures() > failedBefore, PATIENCE_MS);
  repair();
  // On SQLite, the next start ends the claim of the process that was killed.
  if (way === 'Slack failing' || (way === 'the process killed' && currentDeployment()))
    await moveClocks(setting, app, clock.offsetMs + MINUTE_MS);
  const isRenewed = async () =>
    (await expiresAt(setting)) > clock.now().getTime() + EXPIRED_AFTER_MS - DUE_AFTER_MS;
  // Each further event checks whether the token is still due.
  const renewed = await eventually(async () => {
    if (!(await isRenewed())) others.push(await postLink(setting, chance));
    return isRenewed();
  }, PATIENCE_MS);
  await slack.idle();
  // The clock is about to jump again, in the middle of what is in progress.
  await eventually(() => others.every(isUnfurled), PATIENCE_MS);
  const round: Round = {
    way,
    unfurled: posted.filter(isUnfurled).length,
    exchanged: exchangesSince(setting, known).length,
    refused: slack.apiCalls
      .slice(known)
      .filter(({ method }) => !MAY_BE_REFUSED.has(method))
      .filter(({ response }) => REFUSED.has(String(response?.error)))
      .map(({ method }) => method),
    renewed: renewed === true,
  };
  return { round, app };
}

/** When the stored token expires, in ms since 1970. */
const expiresAt = ({ database, acme }: Setting): Promise<number> =>
  withDatabase(database, async (db) => {
    const row = await db
      .selectFrom('installations')
      .select('expiresAt')
      .where('workspaceId', '=', workspaceNamed(acme.id))
      .executeTakeFirst();
    return row?.expiresAt?.getTime() ?? 0;
  });

function obstruct({ slack }: Setting, way: Way): () => void {
  const method = 'oauth.v2.access';
  if (way === 'Slack failing') return slack.faults.add({ kind: 'http', status: 500, method });
  if (way === 'due' || way === 'expired') return () => undefined;
  return slack.faults.add({ kind: 'lost_answer', method, times: 1 });
}

async function deliverAgain({ slack }: Setting, posted: readonly Posted[]): Promise<void> {
  const missed = posted.filter(({ delivery }) => !delivery.acknowledged);
  await Promise.all(missed.map(({ delivery }) => slack.redeliver(delivery, 1)));
}

const exchangesSince = ({ slack }: Setting, known: number) =>
  slack.apiCalls
    .slice(known)
    .filter(
      ({ method, args, response }) =>
        method === 'oauth.v2.access' &&
        args.grant_type === 'refresh_token' &&
        isObject(response) &&
        response.ok === true,
    );

function figuresOf(rounds: readonly Round[]): Figures {
  const sum = (read: (round: Round) => number) => rounds.reduce((all, one) => all + read(one), 0);
  const events = rounds.length * EVENTS;
  const lost = events - sum(({ unfurled }) => unfurled);
  const dead = rounds.filter(({ renewed }) => !renewed).length;
  // Slack allows two valid tokens: if an answer was lost, the third one ends the token in use.
  const isThird = ({ way }: Round) => way === 'the answer lost' || way === 'the process killed';
  const refusedOf = (some: readonly Round[]) =>
    some.flatMap(({ way, refused }) => refused.map((method) => `${method} (${way})`));
  const refused = refusedOf(rounds.filter((round) => !isThird(round)));
  const undisturbed = rounds.filter(({ way }) => way === 'due' || way === 'expired');
  const most = Math.max(...undisturbed.map(({ exchanged }) => exchanged));
  return {
    counts: {
      ok: events - lost,
      lost,
      'installations lost': dead,
      'calls refused because of their token': refused.length,
      'refused by the two-token limit, then done': refusedOf(rounds.filter(isThird)).length,
    },
    measured: {
      ...(refused.length > 0 ? { refused: refused.join(', ') } : {}),
      'renewals for 50 events': String(most),
      ...Object.fromEntries(
        WAYS.filter((way) => way !== 'due' && way !== 'expired').map((way) => [
          `most with ${way}`,
          String(Math.max(...rounds.filter((one) => one.way === way).map((one) => one.exchanged))),
        ]),
      ),
    },
    holds: lost + dead + refused.length === 0 && most === 1,
  };
}

export const tokenRefreshRow: Row = {
  row: 18,
  title: '50 events while a token is due for renewal',
  mutation:
    'nobody claims the renewal (live-installations.ts): 36 renewals for 50 events, all 250 lost',
  runs: { full: 10, quick: 1 },
  run,
};
