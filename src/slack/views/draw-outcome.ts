import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { upTo } from '../../bounded.ts';
import type { JobHandler, JobQueue } from '../../jobs/runner.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
import type { WorkspaceId } from '../../workspaces/workspace-id.ts';
import type { SlackClient, SlackClients } from '../slack-client.ts';
import { updateView } from './update-view.ts';

export const DRAW_VIEW_JOB = 'draw-view';

/**
 * Slack applies an acknowledgement's own view some time after it has it, perhaps after a faster
 * `views.update`. Drawn again after this long, in ms, the outcome has the last word.
 */
export const REDRAW_AFTER_MS = 1_500;

const isModal = (view: unknown) =>
  typeof view === 'object' && view !== null && 'type' in view && view.type === 'modal';
const payload = z.object({
  viewId: z.string(),
  view: z.custom<ModalView>(isModal),
  submission: z.string().optional(),
});

/** Views whose newest submission is remembered; of one beyond them an old outcome may flash up. */
const REMEMBERED_VIEWS = 10_000;

/** Shows outcomes of submissions in their modals; the views must hold no secret. */
export type OutcomeDrawer = {
  /**
   * A modal was submitted: what came of an earlier submission of it is not drawn again from now on.
   *
   * @returns draws the outcome, now and once more
   */
  submitted(input: {
    workspaceId: WorkspaceId;
    viewId: string;
  }): (client: SlackClient, view: ModalView) => Promise<void>;
  /** Draws once more, as a job. */
  drawAgain: JobHandler;
};

export function createOutcomeDrawer(deps: {
  jobs: JobQueue;
  clients: SlackClients;
  now: () => Date;
}): OutcomeDrawer {
  const newest = new LRUCache<string, string>(upTo(REMEMBERED_VIEWS));
  return {
    submitted({ workspaceId, viewId }) {
      const submission = randomUUID();
      newest.set(viewId, submission);
      return async (client, view) => {
        const again: NewJob = {
          kind: DRAW_VIEW_JOB,
          workspaceId,
          payload: { viewId, view, submission },
          isUrgent: true,
          runAt: new Date(deps.now().getTime() + REDRAW_AFTER_MS),
        };
        await deps.jobs.add(again);
        await updateView(client, { viewId, view });
      };
    },
    async drawAgain(job) {
      const { viewId, view, submission } = payload.parse(job.payload);
      // After a restart nothing is remembered, and nothing newer was drawn.
      if ((newest.get(viewId) ?? submission) !== submission) return 'done';
      await updateView(await deps.clients.of(job.workspaceId), { viewId, view });
      return 'done';
    },
  };
}
