import { setTimeout as sleep } from 'node:timers/promises';
import { CLOCK_ENTRY } from '../app-process.ts';
import { closeForms, prepareAll, type SentForm, submit } from '../forms.ts';
import { HOUR_MS, MINUTE_MS, moveClocks } from '../moved-clock.ts';
import { countOutcomes, eventually } from '../outcomes.ts';
import { chanceOf } from '../random.ts';
import { withSetting } from '../setting.ts';

const PEOPLE = 6;
const PRESSING_MS = 100;
const PATIENCE_MS = 45_000;
/** Within Slack's five minutes, so that signatures stay valid while only the app's clock is wrong. */
const SKEWS_MS = [-4 * MINUTE_MS, 4 * MINUTE_MS] as const;
const LEAPS_MS = [HOUR_MS, 25 * HOUR_MS, -HOUR_MS] as const;

/**
 * Shifts the app's clock back and forth while forms are being sent. In the end it is right again, and nothing may wait
 * longer than the clock was set back.
 */
export function clockJumps(seed: number, rounds: number) {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const { people, acme } = setting;
    const chance = chanceOf(seed);
    const app = await setting.start({ entry: CLOCK_ENTRY });
    const forms: SentForm[] = [];
    let jumps = 0;
    for (let round = 1; round <= rounds; round += 1) {
      await Promise.all(people.map((user) => closeForms(acme.as(user))));
      const titles = people.map((_, index) => `Jump ${round}, form ${index + 1}`);
      const wave = await prepareAll(setting, titles);
      forms.push(...wave);
      const pressed = wave.map(async (form) => {
        await sleep(chance.below(PRESSING_MS));
        await submit(form);
      });
      await sleep(chance.below(PRESSING_MS));
      if (chance.is(0.5)) await app.setClockOffset(setting.clock.offsetMs + chance.pick(SKEWS_MS));
      else await moveClocks(setting, app, setting.clock.offsetMs + chance.pick(LEAPS_MS));
      await Promise.all(pressed);
      await moveClocks(setting, app, setting.clock.offsetMs);
      jumps += 2;
    }
    const settled = () => {
      const { lost, untold, waiting } = countOutcomes(setting, forms);
      return lost + untold + waiting === 0;
    };
    // Work may be late by as much as the clock was set back, so that time passes, too.
    await moveClocks(setting, app, setting.clock.offsetMs + HOUR_MS + 5 * MINUTE_MS);
    await eventually(settled, PATIENCE_MS);
    return { outcomes: countOutcomes(setting, forms), jumps };
  });
}
