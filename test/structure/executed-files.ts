import { Session } from 'node:inspector/promises';
import { openRunner } from '../crash/run.ts';
import type { History, Scenario } from '../crash/scenario.ts';
import { request } from '../crash/scenarios.ts';
import { fillForm, sendForm } from '../crash/world/people.ts';

/** The files of src in which a function ran, with how many functions did. */
export type Executed = Map<string, number>;

const TITLE = 'Spring banner';
const LINKED = 'Spring sale banner';

/** One request (from Send to its confirmation), and one unfurl of a card in memory. @param src ends in a slash */
export async function executedFiles(src: string): Promise<{ request: Executed; unfurl: Executed }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runner = await openRunner();

  /** What ran since this was last called. */
  async function take(): Promise<Executed> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const executed: Executed = new Map();
    for (const { url, functions } of result) {
      if (!url.startsWith(src)) continue;
      const called = functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length;
      if (called > 0) executed.set(url.slice(src.length), called);
    }
    return executed;
  }

  async function play(scenario: Scenario): Promise<void> {
    await runner.run({ scenario, outcome: 'done', processes: 1, interruptions: [] });
  }

  let ofRequest: Executed = new Map();
  await play({
    ...request,
    async play(world) {
      const by = world.acme.as(world.ann);
      await fillForm(world, by, TITLE);
      await world.idle();
      await take();
      const sent = await sendForm(world, by, TITLE);
      await world.idle();
      ofRequest = await take();
      return { sent: [sent] };
    },
  });

  let ofUnfurl: Executed = new Map();
  await play({
    name: 'a link, posted twice',
    outcomes: ['done'],
    outcomesInTests: ['done'],
    async play(world) {
      const { acme, ann, general, service } = world;
      const card = service.cards.all().find(({ title }) => title === LINKED);
      const post = () => acme.as(ann).post(general, world.cardUrl(card?.id ?? ''));
      const links: NonNullable<History['links']> = [];
      // The second time, the card is in memory.
      for (let times = 0; times < 2; times += 1) {
        await take();
        links.push({ message: await world.act(post), title: LINKED });
        await world.idle();
      }
      ofUnfurl = await take();
      return { sent: [], links };
    },
  });
  await runner.close();
  session.disconnect();
  return { request: ofRequest, unfurl: ofUnfurl };
}
