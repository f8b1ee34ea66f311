import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import { spreadOf } from '../rounds.ts';
import type { Measured, Row } from '../row.ts';

const COUNTING = fileURLToPath(new URL('../subjects/statement-counts.ts', import.meta.url));
const counts = z.object({ request: z.number(), keyReads: z.number(), unfurl: z.number() });

async function run(): Promise<Measured[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [COUNTING]);
  const { request, keyReads, unfurl } = counts.parse(JSON.parse(stdout));
  const measured = (what: string, count: number, most: number): Measured => ({
    what,
    figure: spreadOf([count]),
    unit: 'calls',
    target: { bound: 'at most', value: most },
  });
  return [
    measured('one request, from the command to the updated modal', request, MOST_FOR_A_REQUEST),
    measured('reads of the API key’s row among them', keyReads, MOST_KEY_READS),
    measured('one unfurl of a cached card', unfurl, MOST_FOR_AN_UNFURL),
  ];
}

const MOST_FOR_A_REQUEST = 30;
const MOST_KEY_READS = 3;
const MOST_FOR_AN_UNFURL = 6;

export const statementsRow: Row = {
  id: 'statements',
  title: 'SQL statements',
  how: 'Counted, not timed: the app runs in virtual time, on SQLite. The start and end of a transaction count.',
  limit:
    'Rows that must be on disk before each answer, and rows that another replica may have changed: the key, the settings, the request. For a request, keeping closed forms, filling in earlier choices, remembering the lists, and watching the card take nine. For an unfurl: the event, stored, claimed, and done; the settings, the key, and what is known about the card.',
  run,
};
