import { z } from 'zod';
import { REQUEST_JOBS } from '../../requests/jobs.ts';
import { SLACK_JOBS } from '../../slack/jobs.ts';
import type { Job } from '../../store/jobs.ts';
import { WATCH_JOBS } from '../../watching/jobs.ts';

/** What follows if a job is dropped, or why it can't be. */
export type DropMeans = { follows: string } | { refused: string };

const UNTOLD = 'Someone would wait for something and never hear about it.';

const BY_KIND: Readonly<Record<string, DropMeans>> = {
  [REQUEST_JOBS.send]: {
    follows:
      'The request comes back to its author, who is told and can send it again. If it may have been sent already, the app looks for it first.',
  },
  [REQUEST_JOBS.reconcile]: {
    follows: 'The app stops looking for the card, and asks the author now.',
  },
  [REQUEST_JOBS.announce]: { follows: 'The author gets one plain line instead.' },
  [REQUEST_JOBS.tellPlainly]: {
    refused: 'It is the last way to tell the author of a request what became of it.',
  },
  [SLACK_JOBS.lostFile]: {
    refused: `It tells the author of a request about a lost file. ${UNTOLD}`,
  },
  [SLACK_JOBS.completeForm]: {
    follows: 'The form stays as it is until the person closes it and opens it again.',
  },
  [SLACK_JOBS.keyRejected]: {
    follows:
      'No admin gets a message about the rejected API key. The form and the Home tab still say it.',
  },
  [SLACK_JOBS.greetInstaller]: {
    follows: 'Whoever installed the app gets no message about what is next.',
  },
  [WATCH_JOBS.show]: { follows: 'Messages show the card as it was, until it changes again.' },
  [WATCH_JOBS.read]: { refused: `It reads a watched card. ${UNTOLD}` },
  [WATCH_JOBS.tell]: { refused: `It tells people about a card that they watch. ${UNTOLD}` },
};

/** Of Slack's events, only those are dropped whose loss nobody has to hear about. */
const BY_EVENT: Readonly<Record<string, DropMeans>> = {
  link_shared: { follows: 'The links of this message are not shown as cards.' },
  entity_details_requested: { follows: 'The pane stays empty until the person opens it again.' },
  app_home_opened: { follows: 'The Home tab is not drawn until the person opens it again.' },
};

const slackEvent = z.object({ event: z.object({ type: z.string() }) });

/** A kind that isn't listed can't be dropped: nobody has decided whether that is safe. */
export function whatADropMeans({ kind, payload }: Pick<Job, 'kind' | 'payload'>): DropMeans {
  if (kind !== SLACK_JOBS.event) {
    return BY_KIND[kind] ?? { refused: 'Nobody has decided whether this kind can be dropped.' };
  }
  const type = slackEvent.safeParse(payload).data?.event.type ?? 'unknown';
  const refused =
    type === 'function_executed'
      ? `A workflow waits for it. ${UNTOLD}`
      : `It is an event that the app must not miss (${type}).`;
  return BY_EVENT[type] ?? { refused };
}
