import type { Row } from './row.ts';
import { commandsRow } from './rows/commands.ts';
import { eventsRow } from './rows/events.ts';

/** The table of speed, line by line. */
export const ROWS: readonly Row[] = [commandsRow, eventsRow];
