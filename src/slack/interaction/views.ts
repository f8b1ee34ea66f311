import type { ViewStateValue } from '@slack/bolt';
import type { KnownBlock, ModalView, RichTextBlock } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { Log } from '../../ops/logging.ts';
import { slackErrorCode } from '../client/errors.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { plainText, section } from '../text/blocks.ts';
import { clip, MODAL_TITLE_MAX } from '../text/limits.ts';
import { CANCEL, CLOSE } from '../words/modal.ts';

/** An open view. The hash changes with every update. */
export type ShownView = { id: string; hash?: string | undefined };

/**
 * @param shown with its hash if the new view derives from it: another update since then wins, and this one is dropped
 * @returns the updated view; undefined if it was closed or updated by someone else
 * @throws Slack's error otherwise
 */
export async function updateView(client: SlackClient, { id, hash }: ShownView, view: ModalView) {
  try {
    const call = { view_id: id, view, ...(hash === undefined ? {} : { hash }) };
    const updated = await client.views.update(call);
    return { id, hash: updated.view?.hash };
  } catch (error) {
    const code = slackErrorCode(error);
    if (code === 'not_found' || code === 'view_not_found' || code === 'hash_conflict') {
      return undefined;
    }
    throw error;
  }
}

const MAX_KEYS = 10_000;

/** Runs work with the same key, such as the drawing of one view, one after the other. */
export function createTurns() {
  /** By key, the end of the last work, and when the newest work was asked for. */
  const latest = new LRUCache<string, { end: Promise<void>; newest: number }>(atMost(MAX_KEYS));
  let count = 0;

  /** @param work `isLatest` says that no newer work has been asked for */
  return function inTurn<Result>(key: string, work: (isLatest: () => boolean) => Promise<Result>) {
    const { end: previous = Promise.resolve() } = latest.get(key) ?? {};
    count += 1;
    const newest = count;
    const current = previous.then(() => work(() => latest.get(key)?.newest === newest));
    const end = current.then(
      () => undefined,
      () => undefined,
    );
    latest.set(key, { end, newest });
    return current;
  };
}

/**
 * If `views.update` is faster than the acknowledgment, Slack may apply the acknowledgment's older
 * view last. Drawing the outcome again after this long, in ms, makes it stay.
 */
const REDRAW_AFTER_MS = 1_500;
/** With more open modals than this, an outdated outcome may appear briefly. */
const MAX_VIEWS = 10_000;

export type Outcomes = ReturnType<typeof createOutcomes>;

export function createOutcomes({ log }: { log: Log }) {
  /** The latest submission of each view, and the timer that redraws its outcome. */
  const latest = new LRUCache<string, { redraw?: NodeJS.Timeout }>({
    ...atMost(MAX_VIEWS),
    dispose: ({ redraw }) => clearTimeout(redraw),
  });
  return {
    /**
     * Call it when a modal is submitted or its outcome is drawn: earlier outcomes are no longer redrawn.
     *
     * @returns a function that draws the outcome of this submission, and again REDRAW_AFTER_MS later if it
     *   `isStillShown`: another replica may have changed it. Throws Slack's error if the first drawing fails. A
     *   crash in between skips the second one; the author also gets a message
     */
    of(viewId: string) {
      const submission: { redraw?: NodeJS.Timeout } = {};
      latest.set(viewId, submission);
      return async (client: SlackClient, view: ModalView, isStillShown = async () => true) => {
        const draw = () => updateView(client, { id: viewId }, view);
        const redraw = async () => {
          if (await isStillShown()) await draw();
        };
        await draw();
        if (latest.get(viewId) !== submission) return;
        submission.redraw = setTimeout(() => {
          redraw().catch((error) => log.warn({ err: error }, 'could not redraw a modal'));
        }, REDRAW_AFTER_MS).unref();
      };
    },
  };
}

type ModalProps = {
  title: string;
  /** The label of its button that submits; undefined if there is nothing to submit. */
  submit?: string;
  callbackId?: string | undefined;
  metadata?: string | undefined;
  blocks: KnownBlock[];
};

export const buildModal = (props: ModalProps): ModalView => ({
  type: 'modal',
  ...(props.callbackId === undefined ? {} : { callback_id: props.callbackId }),
  ...(props.metadata === undefined ? {} : { private_metadata: props.metadata }),
  title: plainText(clip(props.title, MODAL_TITLE_MAX)),
  ...(props.submit === undefined ? {} : { submit: plainText(props.submit) }),
  close: plainText(props.submit === undefined ? CLOSE : CANCEL),
  blocks: props.blocks,
});

/** A modal with a text, and with nothing to submit. */
export const buildNotice = ({
  text,
  blocks = [],
  ...props
}: Omit<ModalProps, 'submit' | 'blocks'> & { text: string; blocks?: KnownBlock[] }): ModalView =>
  buildModal({ ...props, blocks: [section(text), ...blocks] });

/**
 * The value of one field. For an empty field, Slack may omit the entry or the value, or send null
 * or an empty value; Bolt's type lacks the null of rich text.
 */
export type FieldValue = Omit<ViewStateValue, 'rich_text_value'> & {
  rich_text_value?: RichTextBlock | null;
};

/** `view.state.values`: the fields by block ID and action ID. */
export type ViewValues = Record<string, Record<string, FieldValue>>;
