import { openRunner } from '../../crash/run.ts';
import { request } from '../../crash/scenarios/request.ts';
import type { Scenario } from '../../crash/scenarios/scenario.ts';
import { linkTwice } from './link-twice.ts';

// Prints how many SQL statements one request and one unfurl take, as JSON. A separate process, since it runs
// the
// app in virtual time.

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
const isKeyRead = (label: string) => label.startsWith('select * from "api_keys"');
const isCommand = (label: string) => label.startsWith('insert into "interactions"');
const isEvent = (label: string) => label.startsWith('insert into "jobs"');
const isEnd = (label: string) => label.startsWith('update "jobs" set "state" = ?, "finished_at"');

const calls = await callsOf(request);
const ofRequest = calls
  .slice(calls.findIndex(isCommand), calls.lastIndexOf('slack POST /api/views.update'))
  .filter(isStatement);
const ofLinks = await callsOf(linkTwice());
const ofUnfurl = ofLinks
  .slice(ofLinks.findLastIndex(isEvent), ofLinks.findLastIndex(isEnd) + 1)
  .filter(isStatement);
await runner.close();
process.stdout.write(
  JSON.stringify({
    request: ofRequest.length,
    keyReads: ofRequest.filter(isKeyRead).length,
    unfurl: ofUnfurl.length,
  }),
);
process.exit(0);
