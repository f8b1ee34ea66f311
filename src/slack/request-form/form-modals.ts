import { randomUUID } from 'node:crypto';
import type { Log } from '../../ops/logging.ts';
import { draftOf } from '../../requests/match-lists.ts';
import type { FormDraft } from '../../requests/request.ts';
import type { UnfinishedForm } from '../../requests/unfinished-forms.ts';
import type { CardReader } from '../../service/cache/card-reader.ts';
import type { FormOptions, ReferenceLists } from '../../service/cache/reference-lists.ts';
import type { Card, CardReference } from '../../service/operations/card.ts';
import type { RequestStore } from '../../store/requests.ts';
import { authorsText } from '../card/card-text.ts';
import type { AccessControl, AllowedUser } from '../interaction/access.ts';
import { inTime, type Press } from '../interaction/interactions.ts';
import { DELIVERED_BEFORE, type Modal, type ModalToOpen } from '../interaction/open-modal.ts';
import { updateView } from '../interaction/views.ts';
import { htmlToText } from '../text/html-lines.ts';
import { isBlank } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { SHARE } from '../words/card.ts';
import { wordsForState } from '../words/messages.ts';
import { NOTICES } from '../words/request-form.ts';
import { TITLE_MAX } from './fields.ts';
import { readTypedList } from './form-field.ts';
import { buildLoadingView, buildNoticeView, drawForm } from './form-view.ts';
import type { Forms } from './forms.ts';
import type { OpenForms } from './open-forms.ts';
import type { Choice } from './options.ts';

type FormOpening = {
  channelId?: string | undefined;
  /** The text after the command. */
  typed?: string | undefined;
  draft?: FormDraft | undefined;
};

export type FormModals = ReturnType<typeof createFormModals>;

export function createFormModals(deps: {
  referenceLists: ReferenceLists;
  forms: Forms;
  openForms: Pick<OpenForms, 'complete'>;
  requests: Pick<RequestStore, 'get'>;
  cards: Pick<CardReader, 'read'>;
  access: AccessControl;
  log: Log;
}) {
  const { referenceLists, forms, openForms, requests, cards, access, log } = deps;

  /** Without cached lists, it opens loading, and is completed once the service answers. */
  async function fill(user: AllowedUser, modal: Modal, form: UnfinishedForm): Promise<void> {
    const { workspaceId } = user;
    const options = await referenceLists.cachedFormOptions(workspaceId);
    if (options) await draw(options, user, modal, form);
    else {
      const view = await modal.load();
      await forms.save(user, form);
      if (view) await openForms.complete(user, form.formId, view);
    }
    await forms.removeOldest(user).catch((error) => {
      log.warn({ err: error, workspace: workspaceId }, 'could not delete old unfinished forms');
    });
  }

  async function draw(options: FormOptions, user: AllowedUser, modal: Modal, form: UnfinishedForm) {
    const admin = options.withoutKey && (await access.adminToAsk(user, { asksSlack: false }));
    const { form: filled, sources } = await forms.fill(user, { ...form, admin }, options);
    const drawn = drawForm(filled, sources);
    // Saved first: someone quick could change it. But the modal opens even if the database hangs.
    await inTime(forms.save(user, drawn.form), undefined);
    // It may turn out only now that the command was delivered before.
    const view = await modal.draw(drawn.view).catch(async (error) => {
      if (error === DELIVERED_BEFORE) await forms.remove(user, form.formId);
      throw error;
    });
    // Slack is asked only now: nothing asks it before a form opens.
    const noPostsIn = await forms.unpostableChannel(user, filled.draft.shareIn);
    if (!view || noPostsIn === undefined || noPostsIn === filled.noPostsIn) return;
    // Not stored: the form may be in use by now, and every redraw asks again.
    await updateView(user.client, view, drawForm({ ...filled, noPostsIn }, sources).view);
  }

  function ofNew(opening: FormOpening): ModalToOpen {
    const form = newForm(opening);
    const { formId } = form;
    return {
      loading: buildLoadingView(formId),
      isForm: true,
      // With a "Try again" button that keeps what was typed.
      async notice(text, actor) {
        await forms.save(actor, form);
        return buildNoticeView(text, { retry: true, formId });
      },
      fill: (user, modal) => fill(user, modal, form),
    };
  }

  /** @param find the form to open, or why there is none */
  const ofFound = (
    find: (user: AllowedUser, modal: Modal) => Promise<UnfinishedForm | string>,
  ): ModalToOpen => ({
    loading: buildLoadingView(),
    notice: (text) => buildNoticeView(text),
    async fill(user, modal) {
      const form = await find(user, modal);
      if (typeof form === 'string') await modal.draw(form);
      else await fill(user, modal, form);
    },
  });

  return {
    ofNew,

    withTyped: ({ channelId, value }: Press) => ofNew({ channelId, typed: value }),

    /** The form filled with an earlier request, which anyone who sees its message may repeat. */
    ofRequest: ({ channelId, value = '' }: Press) =>
      ofFound(async ({ workspaceId }) => {
        const request = await requests.get(workspaceId, value);
        if (!request) return NOTICES.requestDeleted;
        // Everything but the day, which may have passed.
        const { neededBy: _passed, ...draft } = draftOf(request.form);
        return newForm({ channelId, draft });
      }),

    /** The form filled with a card, whoever requested it. */
    ofCard: ({ channelId, value: cardId = '' }: Press) =>
      ofFound(async (user, modal) => {
        await modal.load();
        try {
          const options = await referenceLists.formOptions(user.workspaceId);
          const reading = await cards.read(user.workspaceId, cardId, { class: 'person' });
          if (!('card' in reading)) return SHARE.gone;
          return newForm({ channelId, draft: draftFromCard(reading.card, options) });
        } catch (error) {
          return access.explainServiceError(user, error);
        }
      }),

    ofClosed: ({ value: formId = '' }: Press) =>
      ofFound(async (user) => {
        const saved = await forms.get(user, formId);
        return saved ? { ...saved, isContinued: true } : NOTICES.notSavedAnyMore;
      }),

    ofRefused: ({ value: formId = '' }: Press) =>
      ofFound(async (user) => {
        const request = await requests.get(user.workspaceId, formId);
        const form = await forms.find(user, formId);
        if (request?.state === 'rejected' && form) return form;
        return request?.userId === user.userId ? wordsForState(request) : NOTICES.notYourRequest;
      }),
  };
}

const newForm = ({ channelId, typed, draft }: FormOpening): UnfinishedForm => ({
  formId: randomUUID(),
  channelId,
  isNew: true,
  isPrefilled: draft !== undefined,
  draft: draft ?? draftFromTyped(typed),
});

/** The text after the command becomes the title and, if that is too short for it, the description, too. */
function draftFromTyped(typed: string | undefined): FormDraft {
  const text = typed?.trim();
  if (!text) return {};
  return text.length <= TITLE_MAX
    ? { title: text }
    : { title: text.slice(0, TITLE_MAX).toWellFormed(), description: plainTextToRichText(text) };
}

function draftFromCard(card: Card, { requestTypes, brands = [] }: FormOptions): FormDraft {
  const text = (html: string) => {
    const plain = htmlToText(html);
    return isBlank(plain) ? undefined : plainTextToRichText(plain);
  };
  return {
    title: card.title.slice(0, TITLE_MAX).toWellFormed(),
    requestType: find(requestTypes, card.requestType),
    description: text(authorsText(card.descriptionHtml)),
    textCopy: text(card.textCopyHtml),
    product: card.productType,
    dimensions: card.dimensions,
    software: card.software,
    formats: readTypedList(card.fileFormats),
    brand: find(brands, card.brand),
  };
}

function find(list: readonly Choice[], of: CardReference | undefined) {
  const found = list.find(({ id, name }) =>
    of?.id ? id === of.id : [id, name].includes(of?.name ?? ''),
  );
  return found && { id: found.id, name: found.name };
}
