import { connectTenants } from '../isolation/connect-tenants.ts';
import { type Expectation, findLeaks } from '../isolation/leaks.ts';
import { startMarkingService } from '../isolation/marking-service.ts';
import { doSomething } from '../isolation/mixed-actions.ts';
import { populate } from '../isolation/tenants.ts';
import type { Figures, Row, RowOptions } from './figures.ts';
import { eventually } from './outcomes.ts';
import { chanceOf } from './random.ts';
import { withSetting } from './setting.ts';

const TITLE =
  'the same card id in two workspaces, shared channels, other company’s team_id, org-wide install';
const MUTATION =
  'the workspace of whoever spoke counts (tenant.ts): 1 leak in 150 deeds; a person’s claim to be from a workspace is believed (many-workspaces.ts): 30 in 400; cards are kept for all workspaces together (card-reader.ts): 7 in 60';
const SAY_EVERY = 200;
const PATIENCE_MS = 30_000;

/** One run is one deed of somebody of five workspaces: links, presses, commands, orders, payloads. */
function run({ seed, runs, say }: RowOptions): Promise<Figures> {
  return withSetting({ seed, many: true, people: 0 }, async (setting) => {
    const { slack, env } = setting;
    const service = await startMarkingService();
    env.DESIGN_API_BASE_URL = service.url;
    try {
      const tenants = populate(slack);
      const app = await setting.start();
      await connectTenants({ app: { url: await app.ready }, slack }, tenants);
      const chance = chanceOf(seed);
      const expectations: Expectation[] = [];
      for (let deed = 0; deed < runs; deed += 1) {
        await doSomething({ slack, tenants, chance, expectations });
        if ((deed + 1) % SAY_EVERY === 0) say(`${deed + 1} of ${runs} deeds`);
      }
      await slack.idle();
      await untilQuiet(() => slack.apiCalls.length + service.calls.length);
      const { looked, found } = findLeaks({ slack, service }, tenants, expectations);
      for (const leak of found.slice(0, 5)) say(leak);
      const keys = new Set(service.calls.map(({ mark }) => mark)).size;
      return {
        row: 17,
        title: TITLE,
        counts: { deeds: runs, leaks: found.length, crashes: app.hasEnded() ? 1 : 0 },
        measured: {
          leaks: `${found.length} of ${looked} calls, answers and messages`,
          'keys used': String(keys),
          'calls of the service': String(service.calls.length),
          'payloads made up': String(expectations.length),
        },
        holds: found.length === 0 && keys === 4 && !app.hasEnded(),
        mutation: MUTATION,
      };
    } finally {
      await service.close();
    }
  });
}

/** Resolves when a count has not grown between two looks. */
async function untilQuiet(count: () => number): Promise<void> {
  let before = -1;
  await eventually(async () => {
    const now = count();
    const isQuiet = now === before;
    before = now;
    if (!isQuiet) await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    return isQuiet;
  }, PATIENCE_MS);
}
const QUIET_MS = 1_000;

export const isolationRow: Row = { row: 17, title: TITLE, runs: { full: 3_000, quick: 60 }, run };
