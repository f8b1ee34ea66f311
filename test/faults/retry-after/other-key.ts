import { connectKey } from '../../isolation/connect-tenants.ts';
import { install } from '../../journeys/browser.ts';
import { fingerprintOfKey } from '../../stand-ins/design-service/api-keys.ts';
import { prepareAll, submit } from '../forms.ts';
import { countOutcomes, eventually } from '../outcomes.ts';
import { postSteadily, showsCard, unfurledAt } from '../posting.ts';
import { type Chance, chanceOf } from '../random.ts';
import { type Setting, withSetting } from '../setting.ts';
import { type Phase, sendSteadily } from '../steady-requests.ts';

const PEOPLE = 6;
/** Each to another card, so that each causes a call. */
const LINKS_A_SECOND = 10;
const WAITS_S = 3_600;
const TOO_MANY_REQUESTS = 429;
const PATIENCE_MS = 60_000;

/** How a workspace fared: how many links there were, and how many were unfurled; times in ms. */
export type Fared = Phase & { links: number; unfurled: number; unfurlMs: number[] };

export type OtherKey = {
  calm: Fared;
  /** While the key of another workspace gets 429 for everything. */
  meanwhile: Fared;
  /** The outcomes of the requests of both phases. */
  outcomes: ReturnType<typeof countOutcomes>;
  /** 429s for the key that should be unaffected. */
  refused: number;
  /** Requests of the key that gets 429, and how many of them wait, as their authors know. */
  forms: number;
  waiting: number;
};

/**
 * Two workspaces with a key each, one of which gets 429 with an hour to wait, while its people keep sending
 * requests and posting links.
 *
 * @param runs how many forms people of the other one send in each phase, with links beside them
 */
export function measureOtherKey(options: { seed: number; runs: number }): Promise<OtherKey> {
  const { seed, runs } = options;
  return withSetting({ seed, many: true, people: PEOPLE }, async (setting) => {
    const { service } = setting;
    const chance = chanceOf(seed);
    const key = service.issueKey();
    const limitedKey = service.issueKey();
    const limited = addWorkspace(setting);
    await connectBoth(setting, limited, { key, limitedKey });

    // A process that just started is slower, which isn't what is measured here.
    await keepUsing(setting, chance, PEOPLE, 'Warming up');
    const calm = await keepUsing(setting, chance, runs, 'Calm');
    const titles = limited.people.map((_, index) => `Waiting ${index + 1}`);
    const forms = await prepareAll(limited, titles);
    service.faults.add({ kind: 'rate-limited', key: limitedKey, retryAfter: WAITS_S });
    const flood = postSteadily(limited, chance, { aSecond: LINKS_A_SECOND, ...newCards(limited) });
    await Promise.all(forms.map(submit));
    const meanwhile = await keepUsing(setting, chance, runs, 'Meanwhile');
    await flood.end();
    return {
      ...{ calm, meanwhile },
      outcomes: countOutcomes(setting, [...calm.forms, ...meanwhile.forms]),
      refused: service
        .calls({ keyFingerprint: fingerprintOfKey(key) })
        .filter(({ status }) => status === TOO_MANY_REQUESTS).length,
      forms: forms.length,
      waiting: countOutcomes(limited, forms).waiting,
    };
  });
}

/** A second workspace with people in it, as another setting with the same stand-ins. */
function addWorkspace(setting: Setting): Setting {
  const acme = setting.slack.addWorkspace({ name: 'Limited', installed: false });
  const admin = acme.addUser({ name: 'Lea Admin', admin: true });
  const people = Array.from({ length: PEOPLE }, (_, index) =>
    acme.addUser({ name: `Other ${index + 1}` }),
  );
  const general = acme.addChannel({ name: 'general', members: [admin, ...people] });
  return { ...setting, acme, admin, people, general };
}

async function connectBoth(
  setting: Setting,
  limited: Setting,
  { key, limitedKey }: { key: string; limitedKey: string },
): Promise<void> {
  const app = await setting.start();
  const at = { app: { url: await app.ready }, slack: setting.slack };
  for (const [{ acme, admin, general }, itsKey] of [
    [setting, key],
    [limited, limitedKey],
  ] as const) {
    await install(at, acme, admin);
    await connectKey(at.slack, { workspace: acme, channel: general, by: admin, key: itsKey });
  }
}

/** People send requests while others post links. */
async function keepUsing(
  setting: Setting,
  chance: Chance,
  runs: number,
  name: string,
): Promise<Fared> {
  const steady = postSteadily(setting, chance, { aSecond: LINKS_A_SECOND, ...newCards(setting) });
  const phase = await sendSteadily(setting, chance, runs, name);
  const posted = await steady.end();
  await eventually(
    () => posted.every(({ message }) => message.attachments.length > 0),
    PATIENCE_MS,
  );
  const shownAt = unfurledAt(setting);
  const unfurlMs = posted.map(
    ({ message, at }) => (shownAt.get(message.ts) ?? Number.POSITIVE_INFINITY) - at.getTime(),
  );
  const unfurled = posted.filter((link) => showsCard(setting, link)).length;
  return { ...phase, links: posted.length, unfurled, unfurlMs };
}

const newCards = ({ service }: Setting) => ({
  nextCard: () => service.cards.add({ title: `New card ${service.cards.all().length}` }).id,
});
