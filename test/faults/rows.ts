import type { Row } from './figures.ts';
import { killRow } from './row-01-kill.ts';
import { droppedAnswerRow } from './row-02-dropped-answer.ts';
import { neverSentRow } from './row-03-never-sent.ts';
import { stalledFormRow } from './row-05-stalled-form.ts';
import { repeatedEventsRow } from './row-06-repeated-events.ts';
import { replaysRow } from './row-07-replays-and-forgeries.ts';
import { fuzzedPayloadsRow } from './row-08-fuzzed-payloads.ts';
import { hugeAndSlowSendersRow } from './row-09-huge-and-slow-senders.ts';
import { failingDatabaseRow } from './row-10-failing-database.ts';
import { linksOverFewCardsRow } from './row-11-links-over-few-cards.ts';
import { retryAfterRow } from './row-12-retry-after.ts';
import { floodRow } from './row-13-flood-of-links.ts';
import { keyRefusedRow } from './row-15-key-refused.ts';
import { uninstallRow } from './row-16-uninstall.ts';
import { isolationRow } from './row-17-isolation.ts';
import { tokenRefreshRow } from './row-18-token-refresh.ts';
import { interruptionsRow } from './row-21-interruptions.ts';
import { hostileCardsRow } from './row-22-hostile-cards.ts';
import { filesRow } from './row-23-files.ts';
import { watchedDayRow } from './row-24-watched-day.ts';
import { watchingAndPeopleRow } from './row-25-watching-and-people.ts';

/** The faults for which the app runs as its own process; `main.ts` says where the others are. */
export const ROWS: readonly Row[] = [
  killRow,
  droppedAnswerRow,
  neverSentRow,
  stalledFormRow,
  repeatedEventsRow,
  replaysRow,
  fuzzedPayloadsRow,
  hugeAndSlowSendersRow,
  failingDatabaseRow,
  linksOverFewCardsRow,
  retryAfterRow,
  floodRow,
  keyRefusedRow,
  uninstallRow,
  isolationRow,
  tokenRefreshRow,
  interruptionsRow,
  hostileCardsRow,
  filesRow,
  watchedDayRow,
  watchingAndPeopleRow,
];

/** The faults that take hundreds of payloads or links, or tens of seconds: `npm test` leaves them to CI. */
export const LOAD_ROWS: readonly Row[] = [
  fuzzedPayloadsRow,
  hugeAndSlowSendersRow,
  linksOverFewCardsRow,
  retryAfterRow,
  floodRow,
  interruptionsRow,
  hostileCardsRow,
  filesRow,
  watchedDayRow,
  watchingAndPeopleRow,
];
