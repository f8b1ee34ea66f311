import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { JobHandler, JobQueue } from '../../jobs/runner.ts';
import type { NewJob } from '../../store/insert-jobs.ts';
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
const payload = z.object({ viewId: z.string(), view: z.custom<ModalView>(isModal) });

/** Shows the outcome of a submission in its modal, now and once more; the view must hold no secret. */
export async function drawOutcome(
  deps: { jobs: JobQueue; now: () => Date },
  client: SlackClient,
  input: { workspaceId: string; viewId: string; view: ModalView },
): Promise<void> {
  const { workspaceId, viewId, view } = input;
  const again: NewJob = {
    kind: DRAW_VIEW_JOB,
    workspaceId,
    payload: { viewId, view },
    isUrgent: true,
    runAt: new Date(deps.now().getTime() + REDRAW_AFTER_MS),
  };
  await deps.jobs.add(again);
  await updateView(client, { viewId, view });
}

export function drawViewHandler(clients: SlackClients): JobHandler {
  return async (job) => {
    const { viewId, view } = payload.parse(job.payload);
    await updateView(await clients.of(job.workspaceId), { viewId, view });
    return 'done';
  };
}
