import type { Row } from './row.ts';
import { acknowledgmentsRow } from './rows/acknowledgments.ts';
import { formRow } from './rows/form.ts';
import { manyWorkspacesRow } from './rows/many-workspaces.ts';
import { memoryRow } from './rows/memory.ts';
import { processorTimeRow } from './rows/processor-time.ts';
import { startRow } from './rows/start.ts';
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
