import type { EntityActionButton } from '@slack/types';
import type { EntityPresentDetailsArguments } from '@slack/web-api';
import type { DesignApiErrorCode } from '../../service/errors.ts';
import type { NoKeyReason } from '../../service/service-access.ts';
import { connectOffer } from '../surface/connection.ts';
import { accessibilityLabel } from '../text/blocks.ts';
import { BUTTON_VALUE_MAX } from '../text/limits.ts';
import { type AdminToAsk, type Denied, wordsForDenied } from '../words/errors.ts';
import { DETAILS_ERRORS } from '../words/work-object.ts';
import { CARD_ACTIONS, writeRefreshValue } from './menu.ts';

export type DetailsError = NonNullable<EntityPresentDetailsArguments['error']>;

/** Why the pane shows no card. */
type DetailsProblem =
  | NoKeyReason
  | Denied
  | DesignApiErrorCode
  | 'external'
  | 'notACard'
  | 'notShown'
  | 'slow';

/** What Try again reads. Without an ID, the URL isn't a card's. */
type TriedAgain = { cardId: string | undefined; isExternal: boolean };

type Words = { title: string; text: string };

const deniedWords = (denied: Denied, title: string): Words => ({
  title,
  text: wordsForDenied(denied),
});

/** With `true`, trying again may help. */
const PROBLEMS: Record<DetailsProblem, [words: Words, mayHelp?: true]> = {
  no_key: [DETAILS_ERRORS.notConnected],
  key_rejected: [DETAILS_ERRORS.keyRejected],
  unauthorized: [DETAILS_ERRORS.keyRejected],
  key_unreadable: [DETAILS_ERRORS.keyUnreadable],
  forbidden: [DETAILS_ERRORS.forbidden, true],
  not_found: [DETAILS_ERRORS.notFound, true],
  rate_limited: [DETAILS_ERRORS.busy, true],
  unavailable: [DETAILS_ERRORS.unavailable, true],
  timed_out: [DETAILS_ERRORS.slow, true],
  slow: [DETAILS_ERRORS.slow, true],
  unreadable_answer: [DETAILS_ERRORS.unclear, true],
  invalid_request: [DETAILS_ERRORS.notFound, true],
  not_sent: [DETAILS_ERRORS.unavailable, true],
  outcome_unknown: [DETAILS_ERRORS.unclear, true],
  external: [DETAILS_ERRORS.external],
  guest: [deniedWords('guest', DETAILS_ERRORS.guestTitle)],
  outsider: [deniedWords('outsider', DETAILS_ERRORS.outsiderTitle)],
  deactivated: [deniedWords('deactivated', DETAILS_ERRORS.deactivatedTitle)],
  not_admin: [deniedWords('not_admin', DETAILS_ERRORS.guestTitle)],
  notACard: [DETAILS_ERRORS.notACard],
  notShown: [DETAILS_ERRORS.notShown],
};

/**
 * What the pane shows instead of a card. Slack has words of its own for `restricted`, `not_found`, `timeout`, and
 * `internal_error`, which don't say what to do, so all of these are custom.
 *
 * @param connect whom someone can ask to connect the workspace, if that helps
 */
export function detailsError(
  problem: DetailsProblem,
  again: TriedAgain | undefined,
  connect?: { admin: AdminToAsk },
): { error: DetailsError } {
  const [words, mayHelp] = PROBLEMS[problem];
  if (connect) return errorWith(words, [connectAction(connect.admin)]);
  return errorWith(words, mayHelp && again ? tryAgain(again) : []);
}

/** @param text with the reference that is in the log */
export const unexpectedError = (text: string, again: TriedAgain) =>
  errorWith({ title: DETAILS_ERRORS.unexpectedTitle, text }, tryAgain(again));

/** Only a partial view has buttons. */
function errorWith({ title, text }: Words, actions: EntityActionButton[]): { error: DetailsError } {
  const words = { custom_title: title, custom_message: text };
  return {
    error:
      actions.length > 0
        ? { status: 'custom_partial_view', ...words, actions }
        : { status: 'custom', ...words },
  };
}

function connectAction(admin: AdminToAsk): EntityActionButton {
  const { text, action_id = '', accessibility_label: label } = connectOffer(admin);
  return { text: text.text, action_id, ...(label ? { accessibility_label: label } : {}) };
}

function tryAgain({ cardId, isExternal }: TriedAgain): EntityActionButton[] {
  if (cardId === undefined) return [];
  const value = writeRefreshValue({ cardId, detail: 'small', isExternal });
  if (value.length > BUTTON_VALUE_MAX) return [];
  const text = DETAILS_ERRORS.tryAgain;
  const label = accessibilityLabel(text, cardId);
  return [{ text, action_id: CARD_ACTIONS.refresh, value, accessibility_label: label }];
}
