import type { Row } from './row.ts';
import { commandsRow } from './rows/commands.ts';
import { eventsRow } from './rows/events.ts';
import { formRow } from './rows/form.ts';
import { manyWorkspacesRow } from './rows/many-workspaces.ts';
import { memoryRow } from './rows/memory.ts';
import { processorTimeRow } from './rows/processor-time.ts';
import { serviceCallsRow } from './rows/service-calls.ts';
import { startRow } from './rows/start.ts';
import { unfurlRow } from './rows/unfurl.ts';

export const ROWS: readonly Row[] = [
  commandsRow,
  eventsRow,
  formRow,
  unfurlRow,
  processorTimeRow,
  serviceCallsRow,
  startRow,
  memoryRow,
  manyWorkspacesRow,
];
