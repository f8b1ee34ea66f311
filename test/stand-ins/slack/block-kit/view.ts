import { inspectBlocks } from './block.ts';
import { type Check, type Inspection, isObject, type Rule, refuse, typed } from './check.ts';
import { plainText } from './composition.ts';
import { ID_CHARS, PRIVATE_METADATA_CHARS, VIEW_BYTES, VIEW_TITLE_CHARS } from './limits.ts';
import { flag, text } from './scalar.ts';

const VIEW = {
  private_metadata: text(0, PRIVATE_METADATA_CHARS),
  callback_id: text(0, ID_CHARS),
};
const title = plainText(VIEW_TITLE_CHARS);

const inputsCanBeSubmitted: Rule = (view, at, inspection) => {
  if (view.submit !== undefined || !Array.isArray(view.blocks)) return;
  if (view.blocks.some((block: unknown) => isObject(block) && block.type === 'input')) {
    refuse(inspection, 'missing required field: submit', at);
  }
};

const modal: Check = typed(
  {
    required: { title, blocks: inspectBlocks },
    optional: {
      ...VIEW,
      submit: title,
      close: title,
      clear_on_close: flag,
      notify_on_close: flag,
    },
  },
  inputsCanBeSubmitted,
);

const home: Check = typed({ required: { blocks: inspectBlocks }, optional: VIEW });

/** A modal or a home tab, as views.open, views.push, views.update, and views.publish accept it. */
export function inspectView(view: unknown, at: string, inspection: Inspection): void {
  const check = inspection.surface === 'home' ? home : modal;
  check(view, at, inspection);
  if (inspection.problems.length > 0) return;
  if (Buffer.byteLength(JSON.stringify(view)) > VIEW_BYTES) {
    // Slack answers this one with the error view_too_large, without a pointer.
    refuse(inspection, 'must be less than 250 KB', at);
  }
}
