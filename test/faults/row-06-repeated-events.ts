import { type AppProcess, CLOCK_ENTRY } from './app-process.ts';
import { eventually } from './outcomes.ts';
import { type Posted, postLink, postLinks, unfurlsOf } from './posting.ts';
import { type Chance, chanceOf } from './random.ts';
import type { Figures, Row, RowOptions } from './row.ts';
import { HOUR_MS, MINUTE_MS, moveClocks, type Setting, withSetting } from './setting.ts';

/** When Slack sends its second and third retry, counted from the event (Slack's Events API). */
const SECOND_RETRY_MS = MINUTE_MS;
const THIRD_RETRY_MS = 6 * MINUTE_MS;
/** The last of the hourly retries that Slack sends with “delayed events” on. */
const DELAYED_RETRY_MS = 24 * HOUR_MS - MINUTE_MS;
const PATIENCE_MS = 30_000;

/** Each run is two messages with a link: all deliveries of one arrive, of the other only retries. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed }, async (setting) => {
    const chance = chanceOf(seed);
    const onlyRetries = await postLinks(setting, chance, runs);
    await setting.slack.idle();
    let app = await setting.start({ entry: CLOCK_ENTRY });
    const all = [...onlyRetries, ...(await postLinks(setting, chance, runs))];
    await setting.slack.idle();
    const arrivedFirst = all.filter(({ delivery }) => delivery.acknowledged).length;

    await deliverAgain(setting, all, 1);
    await allUnfurled(setting, all);
    await moveClocks(setting, app, SECOND_RETRY_MS);
    await deliverAgain(setting, all, 2);
    say('two retries delivered');
    await app.stop();
    app = await setting.start({ entry: CLOCK_ENTRY });
    await moveClocks(setting, app, THIRD_RETRY_MS);
    await deliverAgain(setting, all, 3);
    await moveClocks(setting, app, DELAYED_RETRY_MS);
    await deliverAgain(setting, all, 3);
    await nothingIsLeft(setting, app, chance);
    say('all retries delivered');

    const timesUnfurled = all.map((posted) => unfurlsOf(setting, posted));
    const processed = timesUnfurled.reduce((sum, times) => sum + times, 0);
    const unacknowledged = all.filter(({ delivery }) => delivery.attempts.at(-1)?.error).length;
    const once = timesUnfurled.filter((times) => times === 1).length;
    return {
      counts: {
        ok: once,
        lost: timesUnfurled.filter((times) => times === 0).length,
        doubled: timesUnfurled.filter((times) => times > 1).length,
        'only retries arrived': all.length - arrivedFirst,
      },
      measured: {
        'processed/unique': (processed / all.length).toFixed(3),
        deliveries: String(all.reduce((sum, { delivery }) => sum + delivery.attempts.length, 0)),
      },
      holds: arrivedFirst === runs && once === all.length && unacknowledged === 0,
    };
  });
}

async function deliverAgain({ slack }: Setting, all: Posted[], retry: number): Promise<void> {
  await Promise.all(all.map(({ delivery }) => slack.redeliver(delivery, retry)));
}

async function allUnfurled(setting: Setting, all: Posted[]): Promise<void> {
  await eventually(() => all.every((posted) => unfurlsOf(setting, posted) > 0), PATIENCE_MS);
}

/** Jobs added before another link have run once that link is unfurled and the app has stopped. */
async function nothingIsLeft(setting: Setting, app: AppProcess, chance: Chance): Promise<void> {
  await allUnfurled(setting, [await postLink(setting, chance)]);
  await app.stop();
}

export const repeatedEventsRow: Row = {
  row: 6,
  title: 'one event four times, over 5 minutes and a restart; or only a retry arrives',
  mutation: 'events are stored without their event_id (intake.ts): processed/unique 4.500',
  runs: { full: 200, quick: 6 },
  run,
};
