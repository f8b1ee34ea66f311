import { signedRequest } from '../stand-ins/slack/signing.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { forgeriesOf } from './forgeries.ts';
import { prepareAll, type SentForm, submit } from './forms.ts';
import { asksItsAuthor, creations, eventually, messagesAbout } from './outcomes.ts';
import { type Posted, postLink, unfurlsOf } from './posting.ts';
import { chanceOf } from './random.ts';
import { type Setting, withSetting } from './setting.ts';
import { bytesOf, replay, type SignedBytes, sendBytes } from './signed-bytes.ts';

const TITLE =
  'signed bytes replayed within 5 minutes and after a restart; forged and stale signatures';
const MUTATION =
  'timestamps in the future are accepted (intake/http.ts): 10 of 85 forgeries accepted; commands and button presses are not recorded (delivery.ts): 2 effects after the restart, 3 messages and forms from replays';
const REFUSED = 401;
const PATIENCE_MS = 20_000;

/** Everything that one person did once, and Slack sent to the app once. */
type Scene = {
  form: SentForm;
  decided: SentForm;
  posted: Posted;
  triggerId: string;
  bytes: { submission: SignedBytes; event: SignedBytes; command: SignedBytes; button: SignedBytes };
};

/** Each run is one replay of each of four deliveries before a restart of the app, and one after it. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const chance = chanceOf(seed);
    let app = await setting.start();
    const scene = await playScene(setting, await postLink(setting, chance));
    const kinds = Object.values(scene.bytes);
    let taken = 0;
    for (const bytes of kinds) taken += await replay(setting, bytes, runs);
    const before = effectsOf(setting, scene);
    say(`${runs} replays of each before the restart`);

    await app.stop();
    app = await setting.start();
    const shownBefore = shownCount(setting);
    for (const bytes of kinds) taken += await replay(setting, bytes, runs);
    // Effects of the replays would have happened before this. Reading the card of the request in doubt would confirm it.
    const last = await postLink(setting, chance, scene.posted.cardId);
    const isAlive = await eventually(() => unfurlsOf(setting, last) > 0, PATIENCE_MS);
    const after = effectsOf(setting, scene);
    const shownByReplays = shownCount(setting) - shownBefore;
    say(`${runs} replays of each after it`);

    const { statuses: refusals, effects: forgedEffects } = await forge(setting, scene, runs);
    await app.stop();
    return {
      row: 7,
      title: TITLE,
      counts: {
        replays: 2 * runs * kinds.length,
        acknowledged: taken,
        'cards from one submission': after.submission,
        'unfurls from one event': after.event,
        'forms from one command': after.command,
        forgeries: refusals.length,
        'forgeries accepted': refusals.filter((status) => status !== REFUSED).length,
      },
      measured: {
        effects: String(Math.max(...Object.values(before))),
        refused: share(refusals),
        'effects after the restart': String(Math.max(...Object.values(after))),
        'messages and forms from replays after it': String(shownByReplays),
        'effects of forgeries': String(forgedEffects),
      },
      holds:
        [...Object.values(before), ...Object.values(after)].every((effects) => effects === 1) &&
        shownByReplays === 0 &&
        isAlive === true &&
        forgedEffects === 0 &&
        refusals.every((status) => status === REFUSED),
      mutation: MUTATION,
    };
  });
}

/** In percent, and 100 only if it is all of them. */
function share(statuses: number[]): string {
  const refused = statuses.filter((status) => status === REFUSED).length;
  return `${Math.floor((PER_CENT * refused) / statuses.length)} %`;
}
const PER_CENT = 100;

/** Ann sends a form, Ben decides about his, someone posts a link, and Cid types the command. */
async function playScene(setting: Setting, posted: Posted): Promise<Scene> {
  const { service, slack, acme, people, general } = setting;
  const [form, decided] = await prepareAll(setting, ['Sent once', 'Sent again once']);
  const third = people[2];
  if (!form || !decided || !third) throw new Error('Two forms and one more person are needed');
  const submission = (await submit(form)).told?.delivery;
  await slack.until(() => messagesAbout(setting, form)[0], 'the confirmation', PATIENCE_MS);
  await slack.until(() => unfurlsOf(setting, posted) > 0, 'the unfurl', PATIENCE_MS);

  // In doubt twice: a replay of the first “Not there, send again” would decide for its author.
  service.faults.add({ operation: 'createCard', kind: 'drop-after-executing', times: 2 });
  await submit(decided);
  const question = await slack.until(
    () => questionOf(setting, decided),
    'the question',
    PATIENCE_MS,
  );
  const { delivery: button } = await decided.by.click({
    message: question,
    text: 'Not there, send again',
  });
  const askedAgain = () => {
    const newest = questionOf(setting, decided);
    return postsOf(setting, decided) === 2 && newest !== undefined && newest !== question;
  };
  await slack.until(askedAgain, 'the question again', PATIENCE_MS);

  const { delivery: command, triggerId } = await acme.as(third).command(general);
  if (!submission) throw new Error('The submission was not delivered');
  await slack.idle();
  return {
    ...{ form, decided, posted, triggerId },
    bytes: {
      submission: bytesOf(submission),
      event: bytesOf(posted.delivery),
      command: bytesOf(command),
      button: bytesOf(button),
    },
  };
}

const questionOf = (setting: Setting, form: SentForm) =>
  messagesAbout(setting, form).find(asksItsAuthor);

const postsOf = (setting: Setting, form: SentForm) =>
  creations(setting).filter(({ title }) => title === form.title).length;

/** What people were shown; unfurls and redrawn views don't count. */
const shownCount = ({ slack }: Setting) =>
  slack.apiCalls.filter(({ method }) => /^(chat\.post|views\.open|response_url)/.test(method))
    .length;

function effectsOf(setting: Setting, { form, decided, posted, triggerId }: Scene) {
  const opened = setting.slack.apiCalls.filter(
    ({ method, args, response }) =>
      method === 'views.open' && args.trigger_id === triggerId && response?.ok === true,
  );
  return {
    submission: postsOf(setting, form),
    event: unfurlsOf(setting, posted),
    command: opened.length,
    /** Without the first POST, which came from its author's own Send. */
    button: postsOf(setting, decided) - 1,
  };
}

/** Sends as many forgeries of every kind as given, of a command that nobody typed. */
async function forge(setting: Setting, { bytes, triggerId }: Scene, times: number) {
  const { slack } = setting;
  const { headers, body } = bytes.command;
  const chance = chanceOf(times);
  const statuses: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const forged = signedRequest(
      slack.signingSecret,
      body.replace(triggerId, `${FORGED}${turn}`),
      new Date(),
    );
    const genuine = { headers: { ...headers, ...forged.headers }, body: String(forged.body) };
    const forgeries = forgeriesOf(genuine, slack.signingSecret, chance);
    statuses.push(...(await Promise.all(forgeries.map((one) => sendBytes(setting, one)))));
  }
  const effects = slack.apiCalls.filter(({ args }) => String(args.trigger_id).startsWith(FORGED));
  return { statuses, effects: effects.length };
}
/** The start of trigger IDs that only forged commands have. */
const FORGED = 'forged-';

export const replaysRow: Row = { row: 7, title: TITLE, runs: { full: 100, quick: 10 }, run };
