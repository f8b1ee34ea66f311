import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { closeForms, FILLED, memberOf, sendWave } from '../../faults/forms.ts';
import { messagesAbout } from '../../faults/outcomes.ts';
import { untilIdle } from '../../faults/process-cost.ts';
import { type Setting, withSetting } from '../../faults/setting.ts';
import { hasField, seesCompleteForm } from '../../sandbox/complete-form.ts';
import type { Person } from '../../stand-ins/slack/people/person.ts';
import { compare, ratioOf } from '../rounds.ts';
import { atMost, figure, type Measured, type Row, type RowOptions } from '../row.ts';

const HONEST_BOLT = fileURLToPath(new URL('../subjects/honest-bolt.mjs', import.meta.url));
const PEOPLE = 8;
/** One measurement: enough for a clock that ticks every 10 ms. */
const REQUESTS_EACH = 10;
const LINKS_EACH = 50;
const PATIENCE_MS = 60_000;
const REQUEST_TARGET = 3;
const LINK_TARGET = 1.5;
const CARD = 'card-1001';

async function run({ rounds, say }: RowOptions): Promise<Measured[]> {
  // Nothing here is random.
  const options = { seed: 1, people: PEOPLE };
  return withSetting(options, (ours) =>
    withSetting(options, async (theirs) => {
      const app = await ours.start();
      const honest = await theirs.start({ entry: HONEST_BOLT });
      // From then on, the form is filled with what each person chose.
      await sendWave(ours, 'First');
      const contenders = {
        app: () => measure(ours, app.pid),
        honest: () => measure(theirs, honest.pid),
      };
      const all = await compare(contenders, { rounds, say });
      return [
        figure(
          'a request, relative to the shortest honest app',
          'ratio',
          ratioOf(all.app.request, all.honest.request),
          atMost(REQUEST_TARGET),
        ),
        figure(
          'a link, relative to the shortest honest app',
          'ratio',
          ratioOf(all.app.link, all.honest.link),
          atMost(LINK_TARGET),
        ),
        figure('a request', 'ms', all.app.request),
        figure('a link', 'ms', all.app.link),
        figure('the shortest honest app, a request', 'ms', all.honest.request),
        figure('the shortest honest app, a link', 'ms', all.honest.link),
      ];
    }),
  );
}

let measurements = 0;

/** CPU time in ms, of one request and of one link to a card that is in memory. */
async function measure(setting: Setting, pid: number) {
  measurements += 1;
  const name = `Request ${measurements}`;
  const request = await timeOf(pid, PEOPLE * REQUESTS_EACH, () => makeRequests(setting, name));
  const link = await timeOf(pid, PEOPLE * LINKS_EACH, () => postLinks(setting));
  return { request, link };
}

async function timeOf(pid: number, count: number, work: () => Promise<void>): Promise<number> {
  await untilIdle(pid);
  const before = await processorTimeOf(pid);
  await work();
  await untilIdle(pid);
  return ((await processorTimeOf(pid)) - before) / count;
}

/** Positions of user and system time after the name in /proc/pid/stat (proc(5)), in ticks of 10 ms. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const MS_PER_TICK = 10;

/** The CPU time of a process since its start, in ms (Linux). */
async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK;
}

/** Everyone makes one request after another, from the command until the message that the card exists. */
async function makeRequests(setting: Setting, name: string): Promise<void> {
  await Promise.all(
    setting.people.map(async (_, index) => {
      const by = memberOf(setting, index);
      for (let number = 1; number <= REQUESTS_EACH; number += 1) {
        const title = `${name}, ${index + 1}.${number}`;
        await makeRequest(setting, by, title);
        const isTold = () => messagesAbout(setting, { title, by }).length > 0;
        await setting.slack.until(isTold, `the message about ${title}`, PATIENCE_MS);
        await closeForms(by);
      }
    }),
  );
}

async function makeRequest({ slack, general }: Setting, by: Person, title: string): Promise<void> {
  const { error } = await by.command(general);
  if (error) throw new Error(`The form did not open: ${error}`);
  await slack.until(() => seesCompleteForm(by), 'the complete form', PATIENCE_MS);
  const shown = Object.entries({ ...FILLED, Title: title }).filter(([label]) =>
    hasField(by, label),
  );
  await by.fill(Object.fromEntries(shown));
  const { outcome, errors } = await by.submit();
  if (outcome !== 'updated') throw new Error(`It was ${outcome}: ${JSON.stringify(errors)}`);
}

async function postLinks(setting: Setting): Promise<void> {
  const { slack, general, cardUrl, people } = setting;
  await Promise.all(
    people.map(async (_, index) => {
      for (let link = 0; link < LINKS_EACH; link += 1) {
        const message = await memberOf(setting, index).post(general, cardUrl(CARD));
        await slack.until(() => message.attachments.length > 0, 'the card', PATIENCE_MS);
      }
    }),
  );
}

export const processorTimeRow: Row = {
  id: 'processor',
  title: 'Processor time of a whole request, and of a link to a cached card',
  how: `CPU time of the app's process, from the command until its author reads that the card exists, and from the link until chat.unfurl. The shortest honest app does what people see, and keeps nothing on disk.`,
  run,
};
