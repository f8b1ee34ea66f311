import type { DesignRequest } from '../../requests/request.ts';

// The step in Workflow Builder. Slack shows a failure to the people who run or build the workflow.

/** Why the step failed before there was a request. */
export const STEP_PROBLEMS = {
  noRequester:
    'Nobody is named in “Requested by”. Edit the step in Workflow Builder and choose a person, for example the one who runs the workflow.',
  requesterIsApp:
    '“Requested by” is an app, not a person. Edit the step in Workflow Builder and choose a person.',
  missing: (label: string) =>
    `“${label}” is empty. Edit the step in Workflow Builder and fill it in.`,
  /** @param why a sentence, or two */
  invalid: (label: string, why: string) => `“${label}” can’t be used. ${why}`,
  notText: 'It isn’t text. Edit the step in Workflow Builder and choose something else.',
  notAChannel: 'It isn’t a channel. Edit the step in Workflow Builder and choose one.',
  notOffered:
    'Your design service no longer offers it. Edit the step in Workflow Builder and choose again.',
  tooLong: (max: number) => `Use at most ${max.toLocaleString('en')} characters.`,
  unexpected: (reference: string) =>
    `Something unexpected happened on our side (${reference}), so no design request was made. Run the workflow again.`,
};

/** Instead of the options of a menu. */
export const STEP_OPTIONS_PROBLEMS = {
  late: 'Your design service is taking a while to answer. We’re loading its lists: open this menu again in a few seconds.',
  noBuilder: 'Slack didn’t say who is editing this workflow, so nothing can be listed.',
  unexpected: (reference: string) =>
    `Something unexpected happened on our side (${reference}). Open this menu again in a moment.`,
};

/** Why a workflow doesn't wait any longer. */
export const stepTimedOut = ({ reference }: DesignRequest): string =>
  `The design request ${reference} didn’t become a card within seven days, so the workflow ended. Its author can still find it in the app’s Home tab.`;

/** Why a request of a workflow will not become a card. `why` is a sentence. */
export const stepEnded = ({ reference, state }: DesignRequest, why: string): string =>
  state === 'discarded'
    ? `The design request ${reference} was discarded, so no card was created.`
    : `The design request ${reference} wasn’t sent. ${why}`;
