import { openRunner } from '../../crash/run.ts';
import { request } from '../../crash/scenarios/request.ts';
import type { Scenario } from '../../crash/scenarios/scenario.ts';
import { linkTwice } from './link-twice.ts';

// Prints the SQL statements of one request and of one unfurl, as JSON. A separate process, since it runs the app in
// virtual time.

const runner = await openRunner();
/** The app's calls to the database and to Slack, in order. */
async function callsOf(scenario: Scenario): Promise<string[]> {
  const { moments } = await runner.run({
    scenario,
    outcome: 'done',
    processes: 1,
    interruptions: [],
  });
  const begun = moments.filter(({ label }) => label.startsWith('before '));
  return begun.map(({ label }) => label.slice('before '.length));
}

const isStatement = (label: string) => !/^(?:slack|service) /.test(label);
const isCommand = (label: string) => /^insert into "entries".* returning /.test(label);
const isEvent = (label: string) => label.startsWith('insert into "jobs"');
const isEnd = (label: string) => label.startsWith('update "jobs" set "state" = ?, "finished_at"');

/** For example "insert jobs". */
function shorten(statement: string): string {
  const [verb = ''] = statement.split(' ', 1);
  const table = /(?:into|from|update) "(\w+)"/.exec(statement)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** After the start, when the lists are in memory. */
const laterRequest: Scenario = {
  ...request,
  async play(world) {
    await world.idle();
    return request.play(world);
  },
};
const calls = await callsOf(laterRequest);
const ofRequest = calls
  .slice(calls.findIndex(isCommand), calls.lastIndexOf('slack POST /api/views.update'))
  .filter(isStatement);
const ofLinks = await callsOf(linkTwice());
const ofUnfurl = ofLinks
  .slice(ofLinks.findLastIndex(isEvent), ofLinks.findLastIndex(isEnd) + 1)
  .filter(isStatement);
await runner.close();
process.stdout.write(
  JSON.stringify({ request: ofRequest.map(shorten), unfurl: ofUnfurl.map(shorten) }),
);
process.exit(0);
