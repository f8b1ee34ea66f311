import { setTimeout as sleep } from 'node:timers/promises';
import { connectKey } from '../isolation/connect-tenants.ts';
import { fingerprintOfKey } from '../stand-ins/design-service/api-keys.ts';
import { textOfMessage } from '../stand-ins/slack/views/shown-text.ts';
import { closeForms, newWave, pressSometime } from './forms.ts';
import { eventually, settle } from './outcomes.ts';
import { postLink, postLinks, unfurlsOf } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import { type Figures, type Row, type RowOptions, sumOf } from './row.ts';
import { type Setting, withSetting } from './setting.ts';

const PEOPLE = 8;
const ANSWER_TAKES_MS = 300;
const FORBIDDEN_CARD = 'card-1002';
const PATIENCE_MS = 45_000;
const QUIET_MS = 500;

type Round = { ok: number; adminTold: number; callsAfter: number };

/** In each run a key is revoked under load and a new one is connected, and everything has to be sent. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const chance = chanceOf(seed);
    await setting.start();
    const about403 = await forbidOneCard(setting, chance);
    const rounds: Round[] = [];
    for (let round = 1; round <= runs; round += 1) {
      rounds.push(await revokeUnderLoad(setting, chance, round));
      say(`key ${round} of ${runs} revoked`);
    }
    const forms = PEOPLE * runs;
    const ok = sumOf(rounds, (round) => round.ok);
    const callsAfter = sumOf(rounds, (round) => round.callsAfter);
    const told = rounds.map(({ adminTold }) => adminTold);
    return {
      counts: { ok, 'lost or doubled': forms - ok, 'keys revoked': runs },
      measured: {
        'calls after 401': String(callsAfter),
        'admins told of each key': told.join(' '),
        'hints to the poster of two links with a 403': String(about403.hints),
        'other messages about them': String(about403.others),
      },
      holds:
        ok === forms &&
        callsAfter === 0 &&
        about403.hints === 1 &&
        about403.others === 0 &&
        told.every((times) => times === 1),
    };
  });
}

/** @returns how often only the poster was told why nothing is shown, and how much else was said or shown */
async function forbidOneCard(setting: Setting, chance: Chance) {
  const { service, slack, acme, people, general, cardUrl } = setting;
  service.forbid(service.apiKey, { cardId: FORBIDDEN_CARD });
  // Where it isn't a member, it can't give a hint, and tries again with the next link.
  general.members.add(acme.botUserId);
  const first = await postLink(setting, chance, FORBIDDEN_CARD);
  const hints = () =>
    spoken(setting).filter(
      ({ method, args }) => method === 'chat.postEphemeral' && args.user === first.message.userId,
    ).length;
  await eventually(() => hints() > 0, PATIENCE_MS);
  const poster = people.find(({ id }) => id === first.message.userId);
  if (poster) await acme.as(poster).post(general, cardUrl(FORBIDDEN_CARD));
  const allowed = await postLink(setting, chance, 'card-1001');
  const shown = await eventually(() => unfurlsOf(setting, allowed) > 0, PATIENCE_MS);
  await slack.idle();
  const unfurls = slack.apiCalls.filter(({ method }) => method === 'chat.unfurl').length;
  const others = unfurls - unfurlsOf(setting, allowed) + spoken(setting).length - hints();
  return { hints: hints(), others: shown ? others : Number.POSITIVE_INFINITY };
}

const spoken = ({ slack }: Setting) =>
  slack.apiCalls.filter(({ method }) => /^chat\.post|^response_url$/.test(method));

const adminNotes = ({ acme, admin }: Setting) =>
  acme
    .directMessages(admin)
    .filter((message) => textOfMessage(message).includes('no longer accepts'));

async function revokeUnderLoad(setting: Setting, chance: Chance, round: number): Promise<Round> {
  const { service, slack } = setting;
  const key = setting.env.DESIGN_API_KEY ?? '';
  const toldBefore = adminNotes(setting).length;
  const forms = await newWave(setting, `Key ${round}`);
  const [last, ...others] = forms.toReversed();
  const stall = service.faults.add({ kind: 'stall', ms: ANSWER_TAKES_MS });
  const begun = [pressSometime(others, chance, 2 * ANSWER_TAKES_MS), askAround(setting, chance)];
  await sleep(ANSWER_TAKES_MS + chance.below(ANSWER_TAKES_MS));
  service.revokeKey(key);
  await Promise.all(begun);
  await slack.until(() => adminNotes(setting).length > toldBefore, 'word to an admin', PATIENCE_MS);
  // Whatever was in progress when the first 401 came is answered by now.
  await sleep(2 * ANSWER_TAKES_MS + QUIET_MS);

  const used = callsWith(setting, key);
  const late = last ? [last] : [];
  await Promise.all([pressSometime(late, chance, 1), askAround(setting, chance)]);
  await slack.idle();
  await sleep(QUIET_MS);
  const callsAfter = callsWith(setting, key) - used;
  stall();
  await connectNewKey(setting);
  const { counts } = await settle(setting, forms, PATIENCE_MS);
  return { ok: counts.ok, adminTold: adminNotes(setting).length - toldBefore, callsAfter };
}

async function askAround(setting: Setting, chance: Chance): Promise<void> {
  const { acme, admin, general } = setting;
  await postLinks(setting, chance, PEOPLE);
  await acme.as(admin).command(general, `status unseen-${chance.below(1_000_000)}`);
  await acme.as(admin).command(general, 'brands');
}

const callsWith = ({ service }: Setting, key: string): number =>
  service.calls({ keyFingerprint: fingerprintOfKey(key) }).length;

async function connectNewKey(setting: Setting): Promise<void> {
  const { acme, admin, general, slack, service } = setting;
  const key = service.issueKey();
  await closeForms(acme.as(admin));
  await connectKey(slack, { workspace: acme, channel: general, by: admin, key });
  setting.env.DESIGN_API_KEY = key;
}

export const keyRefusedRow: Row = {
  row: 15,
  title: '401 while requests and links are in progress; 403 for one card',
  mutation:
    'a rejected key is used as if it were active, in memory and as stored (service-access.ts): 9 calls after 401 of one key; nobody’s turn for a hint is taken (card/unfurl.ts): 2 hints for 2 links',
  runs: { full: 10, quick: 1 },
  run,
};
