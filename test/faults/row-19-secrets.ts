import { randomBytes } from 'node:crypto';
import type { Figures, Row, RowOptions } from './figures.ts';
import { creations } from './outcomes.ts';
import { type Chance, chanceOf } from './random.ts';
import { crash, crashOnSignal } from './secrets/crash.ts';
import { openEchoingService } from './secrets/echoing-service.ts';
import { hitsAtService, hitsInSlack, hitsOnDisk } from './secrets/find-secrets.ts';
import { type Hit, hitsIn, type KnownSecret, knownSecret } from './secrets/known-secrets.ts';
import {
  meetEchoedTexts,
  meetEchoes,
  meetLock,
  meetSlackFaults,
  post,
  replaceKey,
  sendRequest,
  sendStrayRequests,
  type Walk,
} from './secrets/walk.ts';
import { outputOfWrongSettings } from './secrets/wrong-settings.ts';
import { type Setting, withSetting } from './setting.ts';

const TITLE = 'known secrets on every path at debug and trace level';
const MUTATION =
  'nothing is removed from log lines (logging.ts): 3 hits; the key is not removed from the service’s answers (call.ts): 9 in 2 walks; the verification token stays in stored events (intake.ts): 1; Node prints startup errors itself (process.ts): 15';

const TRANSPORTS = ['http', 'socket'] as const;
const LEVELS = ['trace', 'debug'] as const;
const HOW = ['exception', 'rejection'] as const;
const TOKEN_BYTES = 24;

type Round = { hits: Hit[]; controls: number; cards: number; echoes: number; logLines: number };

async function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  const rounds: Round[] = [];
  for (let index = 0; index < runs; index += 1) {
    rounds.push(await walkOnce(chanceOf(seed + index), seed + index, index));
    say(`${index + 1} of ${runs} walks`);
  }
  const hits = rounds.flatMap((round) => round.hits);
  for (const { secret, place } of hits) say(`found: ${secret} in ${place}`);
  const total = (read: (round: Round) => number) =>
    rounds.reduce((sum, round) => sum + read(round), 0);
  const controls = total((round) => round.controls);
  return {
    row: 19,
    title: TITLE,
    counts: { 'secrets found': hits.length, walks: runs },
    measured: {
      'answers that repeat the key': String(total(({ echoes }) => echoes)),
      cards: String(total(({ cards }) => cards)),
      'log lines': String(total(({ logLines }) => logLines)),
      'walks whose typed text was found where it belongs': String(controls),
    },
    holds: hits.length === 0 && controls === runs,
    mutation: MUTATION,
  };
}

function walkOnce(chance: Chance, seed: number, index: number): Promise<Round> {
  const transport = TRANSPORTS[index % TRANSPORTS.length] ?? 'http';
  return withSetting({ seed, transport }, async (setting) => {
    const echoing = await openEchoingService(setting.service.url);
    const metricsToken = randomBytes(TOKEN_BYTES).toString('hex');
    Object.assign(setting.env, {
      DESIGN_API_BASE_URL: echoing.url,
      METRICS_TOKEN: metricsToken,
      LOG_LEVEL: chance.pick(LEVELS),
    });
    const keys = new Set([setting.service.apiKey]);
    const typed = typedWords();
    const walk: Walk = { setting, echoing, chance, keys, typed };
    const configured = configuredSecrets(setting, metricsToken);
    try {
      const { app, answers, echoedTexts } = await live(walk, configured);
      const wrong = await outputOfWrongSettings(setting.env, [...configured.values(), ...keys]);
      const starting = await crashWhileStarting(walk, configured);
      const secrets = looksOf(setting, configured, keys);
      const words = Object.entries(typed).map(([name, text]) => knownSecret(`typed ${name}`, text));
      const written = { 'the log': app.logLines, 'wrong settings': wrong, 'a start': starting };
      return {
        hits: [
          ...Object.entries(written).flatMap(([place, lines]) =>
            hitsIn(place, lines.join('\n'), [...secrets, ...words]),
          ),
          ...hitsIn('an HTTP answer', answers.join('\n'), [...secrets, ...words]),
          ...(await hitsOnDisk(setting, secrets)),
          ...hitsInSlack(setting, secrets),
          ...hitsAtService(setting, secrets),
        ],
        controls: await controlsHold(setting, words),
        cards: creations(setting).filter(({ executed }) => executed).length,
        echoes: echoing.given() + echoedTexts,
        logLines: app.logLines.length,
      };
    } finally {
      await echoing.close();
    }
  });
}

/** One life of the app, from its start to an unhandled error. */
async function live(walk: Walk, configured: ReadonlyMap<string, string>) {
  const { setting, keys, chance } = walk;
  const secrets = [...configured.values()];
  const env = crashOnSignal({
    configured: secrets,
    hanging: [setting.service.apiKey, ...secrets],
    how: chance.pick(HOW),
  });
  const app = await setting.start({ env });
  await sendRequest(walk);
  await post(walk);
  await meetEchoes(walk);
  const echoedTexts = await meetEchoedTexts(walk);
  await replaceKey(walk);
  await meetSlackFaults(walk);
  await meetLock(walk);
  const answers = await sendStrayRequests(walk, await app.ready, [...secrets, ...keys]);
  await crash(app);
  return { app, answers, echoedTexts };
}

/** An unhandled error before the app is ready, because Slack doesn't answer. */
async function crashWhileStarting(
  { setting, keys, chance }: Walk,
  configured: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const secrets = [...configured.values()];
  const crashing = crashOnSignal({
    configured: [],
    hanging: [...keys, ...secrets],
    how: chance.pick(HOW),
  });
  setting.slack.faults.add({ kind: 'hang', method: 'auth.test' });
  const app = setting.launch({ env: crashing });
  await setting.slack.until(() => app.hasEnded() || isAsked(setting), 'auth.test', 10_000);
  await crash(app);
  return app.logLines;
}

const isAsked = ({ slack }: Setting) =>
  slack.apiCalls.some(({ method, fault }) => method === 'auth.test' && fault === 'hang');

function configuredSecrets({ env, slack }: Setting, metricsToken: string): Map<string, string> {
  return new Map([
    ['bot token', env.SLACK_BOT_TOKEN ?? ''],
    ...(env.SLACK_APP_TOKEN
      ? ([['app token', slack.appToken]] as const)
      : ([['signing secret', slack.signingSecret]] as const)),
    ['metrics token', metricsToken],
    ['encryption key', (env.ENCRYPTION_KEYS ?? '').split(':')[1] ?? ''],
  ]);
}

function looksOf(
  { slack }: Setting,
  configured: ReadonlyMap<string, string>,
  keys: ReadonlySet<string>,
): KnownSecret[] {
  return [
    ...[...configured].map(([name, secret]) =>
      knownSecret(
        name,
        secret,
        name === 'encryption key' ? Buffer.from(secret, 'base64') : undefined,
      ),
    ),
    knownSecret('verification token', slack.state.app.verificationToken),
    ...[...keys].map((key, index) => knownSecret(`API key ${index + 1}`, key)),
  ];
}

function typedWords(): Walk['typed'] {
  const marked = (what: string) => `${what} ${randomBytes(8).toString('hex')}`;
  return {
    Title: marked('Title'),
    Description: marked('Description'),
    Sizes: marked('Sizes'),
    Wording: marked('Wording'),
    command: marked('Command'),
    message: marked('Message'),
  };
}

/** What people typed is found where it belongs, so the search works. */
async function controlsHold(setting: Setting, words: readonly KnownSecret[]): Promise<number> {
  const title = words.filter(({ name }) => name === 'typed Title');
  const found = [
    await hitsOnDisk(setting, title),
    hitsInSlack(setting, title),
    hitsAtService(setting, title),
  ];
  return found.every(({ length }) => length > 0) ? 1 : 0;
}

export const secretsRow: Row = { row: 19, title: TITLE, runs: { full: 12, quick: 1 }, run };
