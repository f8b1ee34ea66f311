import { type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import type { OpenView } from '../../stand-ins/slack/state/views.ts';
import { textOf } from '../../stand-ins/slack/views/elements.ts';
import { blocksAsLines } from './blocks.ts';
import { columnsOf } from './columns.ts';
import { fieldAsLines } from './fields.ts';
import { type Look, narrower } from './look.ts';
import { withoutControls } from './mrkdwn.ts';

const FRAME = '│ ';

/**
 * A modal as a person sees it: title, fields with their values, buttons.
 *
 * @param labels only these fields, for changes in a form that was shown before
 */
export function viewAsLines(open: OpenView, look: Look, labels?: readonly string[]): string[] {
  const { title, submit, close, blocks } = open.view;
  const { paint, columns } = look;
  const inside = narrower(look, columnsOf(FRAME));
  const shown = objectsOf(blocks).filter(
    ({ label }) => labels === undefined || labels.includes(textOf(label)),
  );
  const heading = `┌─ ${withoutControls(textOf(title))} `;
  const buttons = [close, submit]
    .filter((button) => button !== undefined && button !== null)
    .map((button) => `[ ${withoutControls(textOf(button))} ]`);
  return [
    paint.bold(heading) + paint.dim('─'.repeat(Math.max(0, columns - columnsOf(heading)))),
    ...shown.flatMap((block) => blockAsLines(block, open, inside)).map((line) => FRAME + line),
    `└─ ${labels === undefined ? buttons.join('  ') : paint.dim('the rest is unchanged')}`,
  ];
}

function blockAsLines(block: JsonObject, open: OpenView, look: Look): string[] {
  return block.type === 'input' ? fieldAsLines(block, open, look) : blocksAsLines([block], look);
}
