import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { Log } from '../../ops/logging.ts';
import type { SlackClient } from '../client/slack-client.ts';
import { updateView } from './update-view.ts';

/**
 * If `views.update` is faster than the acknowledgment, Slack may apply the acknowledgment's older
 * view last. Drawing the outcome again after this long, in ms, makes it stay.
 */
const REDRAW_AFTER_MS = 1_500;
/** With more open modals than this, an outdated outcome may appear briefly. */
const MAX_VIEWS = 10_000;

/** Shows the outcome of submissions in their modals. */
export type OutcomeDrawer = {
  /**
   * Call it when a modal is submitted: outcomes of earlier submissions are no longer redrawn.
   *
   * @returns draws the outcome of this submission
   */
  submitted(viewId: string): (client: SlackClient, view: ModalView) => Promise<void>;
  /**
   * Draws an outcome now and once more later. A crash in between skips the second time; the author
   * also gets a message.
   *
   * @param isStillShown asked before the second time: the modal may have changed by then, also by
   *   another replica
   * @throws Slack's error if it can't be drawn now
   */
  draw(
    client: SlackClient,
    viewId: string,
    view: ModalView,
    isStillShown?: () => Promise<boolean>,
  ): Promise<void>;
};

export function createOutcomeDrawer(deps: { log: Log }): OutcomeDrawer {
  /** The latest submission of each view, and the timer that redraws its outcome. */
  const latest = new LRUCache<string, { redraw?: NodeJS.Timeout }>({
    ...atMost(MAX_VIEWS),
    dispose: ({ redraw }) => clearTimeout(redraw),
  });

  function begin(viewId: string, isStillShown = async () => true) {
    const submission: { redraw?: NodeJS.Timeout } = {};
    latest.set(viewId, submission);
    return async (client: SlackClient, view: ModalView) => {
      const draw = () => updateView(client, { viewId, view });
      const redraw = async () => {
        if (await isStillShown()) await draw();
      };
      await draw();
      if (latest.get(viewId) !== submission) return;
      submission.redraw = setTimeout(() => {
        redraw().catch((error) => deps.log.warn({ err: error }, 'could not redraw a modal'));
      }, REDRAW_AFTER_MS).unref();
    };
  }

  return {
    submitted: (viewId) => begin(viewId),
    draw: (client, viewId, view, isStillShown) => begin(viewId, isStillShown)(client, view),
  };
}
