import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import type { Log } from '../../ops/logging.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { updateView } from './update-view.ts';

/**
 * Slack may apply an acknowledgment's own view after a faster `views.update`. Drawn again after this
 * long, in ms, the outcome is what stays.
 */
const REDRAW_AFTER_MS = 1_500;
/** Of a modal beyond these, an outdated outcome may appear for a moment. */
const REMEMBERED_VIEWS = 10_000;

/** Shows outcomes of submissions in their modals. */
export type OutcomeDrawer = {
  /**
   * A modal was submitted: outcomes of its earlier submissions are not drawn again.
   *
   * @returns draws the outcome of this submission
   */
  submitted(viewId: string): (client: SlackClient, view: ModalView) => Promise<void>;
  /**
   * Draws an outcome, now and once more. After a crash in between it is not drawn again: the message
   * to the author says the same.
   *
   * @throws Slack's error if it can't be drawn now
   */
  draw(client: SlackClient, viewId: string, view: ModalView): Promise<void>;
};

export function createOutcomeDrawer(deps: { log: Log }): OutcomeDrawer {
  /** The newest submission of each view, and when its outcome is drawn again. */
  const newest = new LRUCache<string, { redraw?: NodeJS.Timeout }>({
    max: REMEMBERED_VIEWS,
    dispose: ({ redraw }) => clearTimeout(redraw),
  });

  function begin(viewId: string) {
    const submission: { redraw?: NodeJS.Timeout } = {};
    newest.set(viewId, submission);
    return async (client: SlackClient, view: ModalView) => {
      const draw = () => updateView(client, { viewId, view });
      await draw();
      if (newest.get(viewId) !== submission) return;
      submission.redraw = setTimeout(() => {
        draw().catch((error) => deps.log.warn({ err: error }, 'a modal could not be drawn again'));
      }, REDRAW_AFTER_MS).unref();
    };
  }

  return {
    submitted: begin,
    draw: (client, viewId, view) => begin(viewId)(client, view),
  };
}
