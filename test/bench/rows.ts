import type { Row } from './row.ts';
import { acknowledgmentsRow } from './rows/acknowledgments.ts';
import { formRow } from './rows/form.ts';
import { manyWorkspacesRow } from './rows/many-workspaces.ts';
import { processorTimeRow } from './rows/processor-time.ts';
import { memoryRow, startRow } from './rows/start-and-memory.ts';
import { unfurlRow } from './rows/unfurl.ts';

export const ROWS: readonly Row[] = [
  acknowledgmentsRow,
  formRow,
  unfurlRow,
  processorTimeRow,
  startRow,
  memoryRow,
  manyWorkspacesRow,
];
