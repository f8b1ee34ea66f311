import type { Row } from './row.ts';
import { killRow } from './row-01-kill.ts';
import { droppedAnswerRow } from './row-02-dropped-answer.ts';
import { repeatedEventsRow } from './row-06-repeated-events.ts';
import { fuzzedPayloadsRow } from './row-08-fuzzed-payloads.ts';
import { floodRow } from './row-13-flood-of-links.ts';
import { uninstallRow } from './row-16-uninstall.ts';
import { isolationRow } from './row-17-isolation.ts';
import { tokenRefreshRow } from './row-18-token-refresh.ts';
import { interruptionsRow } from './row-21-interruptions.ts';
import { heavyAnswersRow } from './row-22-heavy-answers.ts';
import { filesRow } from './row-23-files.ts';
import { watchedDayRow } from './row-24-watched-day.ts';
import { watchingAndPeopleRow } from './row-25-watching-and-people.ts';

/** The faults for which the app runs as its own process; `main.ts` says where the others are. */
export const ROWS: readonly Row[] = [
  killRow,
  droppedAnswerRow,
  repeatedEventsRow,
  fuzzedPayloadsRow,
  floodRow,
  uninstallRow,
  isolationRow,
  tokenRefreshRow,
  interruptionsRow,
  heavyAnswersRow,
  filesRow,
  watchedDayRow,
  watchingAndPeopleRow,
];
