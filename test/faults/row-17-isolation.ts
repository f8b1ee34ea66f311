import { setTimeout as sleep } from 'node:timers/promises';
import { connectTenants } from '../isolation/connect-tenants.ts';
import { type Expectation, findLeaks } from '../isolation/leaks.ts';
import { startMarkingService } from '../isolation/marking-service.ts';
import { doSomething } from '../isolation/mixed-actions.ts';
import { populate } from '../isolation/tenants.ts';
import { eventually } from './outcomes.ts';
import { chanceOf } from './random.ts';
import type { Figures, Row, RowOptions } from './row.ts';
import { withSetting } from './setting.ts';

const SAY_EVERY = 200;
const PATIENCE_MS = 30_000;
const QUIET_MS = 1_000;

/** Each run is one action of a person in one of five workspaces: links, buttons, commands, requests, payloads. */
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
      for (let action = 0; action < runs; action += 1) {
        await doSomething({ slack, tenants, chance, expectations });
        if ((action + 1) % SAY_EVERY === 0) say(`${action + 1} of ${runs} actions`);
      }
      await slack.idle();
      const calls = () => slack.apiCalls.length + service.calls.length;
      const isQuiet = async () => {
        const before = calls();
        await sleep(QUIET_MS);
        return calls() === before;
      };
      await eventually(isQuiet, PATIENCE_MS);
      const { looked, found } = findLeaks({ slack, service }, tenants, expectations);
      for (const leak of found.slice(0, 5)) say(leak);
      const keys = new Set(service.calls.map(({ mark }) => mark)).size;
      return {
        counts: { actions: runs, leaks: found.length, crashes: app.hasEnded() ? 1 : 0 },
        measured: {
          leaks: `${found.length} of ${looked} calls, answers, and messages`,
          'keys used': String(keys),
          'calls to the service': String(service.calls.length),
          'invented payloads': String(expectations.length),
        },
        holds: found.length === 0 && keys === 4 && !app.hasEnded(),
      };
    } finally {
      await service.close();
    }
  });
}

export const isolationRow: Row = {
  row: 17,
  title:
    'the same card ID in two workspaces, shared channels, another company’s team_id, organization-wide installation',
  mutation:
    'the sender’s workspace counts (tenant.ts): 1 leak in 150 actions; a person’s claim to be from a workspace is believed (workspaces.ts): 30 in 400; cards are cached for all workspaces together (card-reader.ts): 7 in 60',
  runs: { full: 3_000, quick: 60 },
  run,
};
