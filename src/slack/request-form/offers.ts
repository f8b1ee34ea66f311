import type { ConfirmationDialog, KnownBlock } from '@slack/types';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import { button, buttonRow, context, plainText } from '../text/blocks.ts';
import { escapeMrkdwn } from '../text/escape.ts';
import { clip } from '../text/limits.ts';
import { BUTTONS, CONFIRM_DISCARD } from '../words/messages.ts';
import { CONFIRM_DISCARD_FORM, FORM } from '../words/request-form.ts';
import { FORM_ACTIONS } from './ids.ts';

/** A form that its author can continue or discard. */
export type Offer = { formId: string; title: string | undefined };

/** How many are offered at the same time, which a view has room for. */
export const OFFERS_MAX = 10;
const TITLE_CHARS = 100;

/** The forms to offer, the newest first. */
export const offersAmong = (saved: readonly UnfinishedForm[]): Offer[] =>
  saved.flatMap(({ formId, draft, isTyped, isReturned }) =>
    isTyped && !isReturned ? [{ formId, title: draft.title }] : [],
  );

/** The forms that a person closed before, each with a button to continue it and one to discard it. */
export function offerBlocks(offers: readonly Offer[], continueAction: string): KnownBlock[] {
  const left = offers.length - OFFERS_MAX;
  return [
    ...offers.slice(0, OFFERS_MAX).flatMap(({ formId, title }) => {
      const about = clip(title ?? FORM.untitled, TITLE_CHARS);
      const more = { value: formId, about };
      const discard = button(FORM_ACTIONS.discardForm, BUTTONS.discard, more);
      return [
        context(FORM.continueOffer(escapeMrkdwn(about))),
        ...buttonRow([
          button(continueAction, FORM.continueButton, more),
          { ...discard, confirm: discardDialog(CONFIRM_DISCARD_FORM) },
        ]),
      ];
    }),
    ...(left > 0 ? [context(FORM.moreUnfinished(left))] : []),
  ];
}

/** Asks before something is discarded, since that can't be undone. */
export const discardDialog = (text: string): ConfirmationDialog => ({
  title: plainText(CONFIRM_DISCARD.title),
  text: plainText(text),
  confirm: plainText(CONFIRM_DISCARD.confirm),
  deny: plainText(CONFIRM_DISCARD.deny),
  style: 'danger',
});
