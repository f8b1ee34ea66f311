import { setTimeout as sleep } from 'node:timers/promises';
import { maySubmit, prepareAll, submit } from '../forms.ts';
import { countOutcomes, eventually } from '../outcomes.ts';
import { withSetting } from '../setting.ts';

const PEOPLE = 6;
const GONE_MS = 10_000;
const BACK_WITHIN_MS = 60_000;
const PATIENCE_MS = 20_000;

/**
 * Cuts Socket Mode while forms are being sent, and refuses connections for 10 s. Everyone who saw an error
 * presses Send again once it is back.
 */
export function socketDown(seed: number) {
  return withSetting({ seed, transport: 'socket', people: PEOPLE }, async (setting) => {
    const { slack } = setting;
    await setting.start();
    const titles = Array.from({ length: PEOPLE }, (_, index) => `Socket, form ${index + 1}`);
    const forms = await prepareAll(setting, titles);
    const [during, after] = [forms.slice(0, PEOPLE / 2), forms.slice(PEOPLE / 2)];
    const pressed = during.map(submit);
    const closed = slack.faults.add({ method: 'apps.connections.open', kind: 'http', status: 503 });
    slack.sockets.dropAll();
    await Promise.all([...pressed, ...after.map(submit)]);
    await sleep(GONE_MS);
    closed();
    const opened = performance.now();
    const isBack = await eventually(() => slack.sockets.count() > 0, BACK_WITHIN_MS);
    const backAfterMs = isBack ? performance.now() - opened : Number.POSITIVE_INFINITY;
    await Promise.all(forms.filter(maySubmit).map(submit));
    await eventually(() => countOutcomes(setting, forms).ok === forms.length, PATIENCE_MS);
    const outcomes = countOutcomes(setting, forms);
    // Everyone could press again, so whatever isn't a card by now is lost.
    const lost = outcomes.lost + outcomes['not acknowledged'];
    return { outcomes: { ...outcomes, lost }, backAfterMs };
  });
}
