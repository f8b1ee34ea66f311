import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { spreadOf } from '../rounds.ts';
import type { Measured, Row } from '../row.ts';

/** What each statement of one request is for. `statementsOf` compares them with what the app does. */
const OF_A_REQUEST = {
  'The command': [
    ['insert entries', 'the same command, delivered again, has no effect'],
    ['select api_keys', 'another replica may have connected another key'],
    ['select entries', 'what the form is filled with'],
    ['select entries', 'a form that was closed is offered'],
    ['insert entries', 'where to reply if Slack refuses direct messages'],
  ],
  'Choosing a request type': [
    ['insert entries', 'as for the command'],
    ['select api_keys', 'as for the command'],
    ['insert entries', 'what was typed, if the form is closed'],
  ],
  'Send, in one commit': [
    ['begin', ''],
    ['insert entries', 'as for the command'],
    ['insert requests', 'the request'],
    ['insert jobs', 'the job that sends it'],
    ['insert entries', 'what the next form is filled with'],
    ['select entries', 'other forms that say the same'],
    ['delete entries', 'the form was sent'],
    ['commit', ''],
  ],
  'The job that sends it': [
    ['update jobs', 'no other process runs it'],
    ['select requests', 'it may have been sent, changed, or discarded since'],
    ['select api_keys', 'another replica may have connected another key'],
    ['update requests', '“sending”, on disk before the call'],
    ['update budgets', 'the call counts before it is made'],
  ],
  'The outcome, in one commit': [
    ['begin', ''],
    ['update requests', '“created”, with the card’s ID'],
    ['insert watched_cards', 'the card is read from time to time'],
    ['insert card_watchers', 'its author is told about changes'],
    ['insert jobs', 'the job that tells the author, and the one that reads the card'],
    ['commit', ''],
  ],
  'The job that tells the author': [
    ['update jobs', 'the job that sent the request is done'],
    ['update jobs', 'no other process runs this one'],
    ['select requests', 'a later change may have replaced what it tells'],
  ],
} as const;

const OF_AN_UNFURL = {
  'A link to a cached card': [
    ['insert jobs', 'the event, on disk before Slack gets its answer'],
    ['update jobs', 'no other process runs it'],
    ['select entries', 'whether, and how large, this channel shows cards'],
    ['select api_keys', 'another replica may have connected another key'],
    ['select requests', 'who requested the card, and whether it is watched'],
    ['update jobs', 'the job is done'],
  ],
} as const;

type Explained = Record<string, readonly (readonly [statement: string, why: string])[]>;

const COUNTING = fileURLToPath(new URL('../subjects/statement-counts.ts', import.meta.url));
const counted = z.object({ request: z.array(z.string()), unfurl: z.array(z.string()) });

/**
 * Counts the statements of one request and of one unfurl.
 *
 * @throws Error if the app makes others than are explained here
 */
export async function countStatements(): Promise<Measured[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [COUNTING]);
  const { request, unfurl } = counted.parse(JSON.parse(stdout));
  checkExplained(request, OF_A_REQUEST);
  checkExplained(unfurl, OF_AN_UNFURL);
  const keyReads = request.filter((statement) => statement === 'select api_keys').length;
  const measured = (what: string, count: number, most: number): Measured => ({
    what,
    figure: spreadOf([count]),
    unit: 'calls',
    target: { bound: 'at most', value: most },
  });
  return [
    measured(
      'one request, from the command to the updated modal',
      request.length,
      MOST_FOR_A_REQUEST,
    ),
    measured('reads of the API key’s row among them', keyReads, MOST_KEY_READS),
    measured('one unfurl of a cached card', unfurl.length, MOST_FOR_AN_UNFURL),
  ];
}

/** In any order: some happen at the same time. */
function checkExplained(statements: readonly string[], explained: Explained): void {
  const unexplained = Object.values(explained).flatMap((steps) => steps.map(([name]) => name));
  const missing: string[] = [];
  for (const statement of statements) {
    const index = unexplained.indexOf(statement);
    if (index < 0) missing.push(statement);
    else unexplained.splice(index, 1);
  }
  if (missing.length + unexplained.length === 0) return;
  throw new Error(
    `not explained in statements.ts: ${missing.join(', ')}; explained, but not made: ${unexplained.join(', ')}`,
  );
}

const tableOf = (explained: Explained): string =>
  Object.entries(explained)
    .flatMap(([step, statements]) =>
      statements.map(
        ([statement, why], index) => `| ${index === 0 ? step : ''} | ${statement} | ${why} |`,
      ),
    )
    .join('\n');

const MOST_FOR_A_REQUEST = 30;
const MOST_KEY_READS = 3;
const MOST_FOR_AN_UNFURL = 6;

export const statementsRow: Row = {
  id: 'statements',
  title: 'SQL statements',
  how: `Counted, not timed: the app runs in virtual time, on SQLite, with the reference lists in memory. The start and end of a transaction count.

| | Statement | Why |
|---|---|---|
${tableOf({ ...OF_A_REQUEST, ...OF_AN_UNFURL })}`,
  limit:
    'Rows that must be on disk before each answer, and rows that another replica may have changed.',
  run: countStatements,
};
