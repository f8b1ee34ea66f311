import { setTimeout as sleep } from 'node:timers/promises';
import { closeForms, prepareAll, type SentForm, submit } from '../forms.ts';
import { countOutcomes, eventually } from '../outcomes.ts';
import { postLinks } from '../posting.ts';
import { chanceOf } from '../random.ts';
import { withSetting } from '../setting.ts';

const PEOPLE = 8;
const LINKS = 20;
const SLOWEST_ANSWER_MS = 1_500;
const PRESSING_MS = 300;
const PATIENCE_MS = 30_000;

/** Asks the app to stop while forms are being sent and links come in, as often as given. */
export function stopUnderLoad(seed: number, stops: number, say: (progress: string) => void) {
  return withSetting({ seed, people: PEOPLE }, async (setting) => {
    const { service, people, acme } = setting;
    const chance = chanceOf(seed);
    const forms: SentForm[] = [];
    const stopMs: number[] = [];
    let endedBadly = 0;
    for (let stop = 1; stop <= stops; stop += 1) {
      service.faults.clear();
      const app = await setting.start();
      await Promise.all(people.map((user) => closeForms(acme.as(user))));
      const titles = people.map((_, index) => `Stop ${stop}, form ${index + 1}`);
      const wave = await prepareAll(setting, titles);
      forms.push(...wave);
      service.faults.add({ kind: 'stall', ms: chance.below(SLOWEST_ANSWER_MS) });
      const pressed = wave.map(async (form) => {
        await sleep(chance.below(PRESSING_MS));
        await submit(form);
      });
      const links = postLinks(setting, chance, LINKS);
      await sleep(chance.below(PRESSING_MS));
      const asked = performance.now();
      const { code } = await app.stop();
      stopMs.push(performance.now() - asked);
      if (code !== 0) endedBadly += 1;
      await Promise.all([...pressed, links]);
      if (stop % 5 === 0) say(`${stop} of ${stops} ends`);
    }
    service.faults.clear();
    await setting.start();
    await eventually(() => isSettled(countOutcomes(setting, forms)), PATIENCE_MS);
    return { outcomes: countOutcomes(setting, forms), stopMs, endedBadly };
  });
}

const isSettled = ({ lost, untold, waiting }: ReturnType<typeof countOutcomes>) =>
  lost + untold + waiting === 0;
