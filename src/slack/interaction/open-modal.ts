import type { ModalView } from '@slack/types';
import type { Log } from '../../ops/logging.ts';
import { ONE_MOMENT } from '../words/modal.ts';
import type { Access, AccessControl, Actor, AllowedUser } from './access.ts';
import { inTime, type Press, reportUnexpected, type Started } from './interactions.ts';
import { buildNotice, type ShownView, updateView } from './views.ts';

export type ModalToOpen = (Texts | { title: string }) & {
  /** Whether it shows nothing but a form, which may open from an old answer about the person. */
  isForm?: true;
  /** Draws the actual content. */
  fill(user: AllowedUser, modal: Modal): Promise<void>;
};

type Texts = {
  /** Shown while access is being checked. */
  loading: ModalView;
  /** The modal with only a text, for example why access is denied. */
  notice(text: string, actor: Actor): ModalView | Promise<ModalView>;
};

const plainTexts = (title: string): Texts => ({
  loading: buildNotice({ title, text: ONE_MOMENT }),
  notice: (text) => buildNotice({ title, text }),
});

export type Modal = ReturnType<typeof createModal>['modal'];

/** A submitted modal: what is wrong with it, by block ID, or what to do. */
export type ModalSubmission =
  | { problems: Record<string, string> }
  | {
      title: string;
      /** Shown while `apply` runs. */
      busy: string;
      /** @returns the view or the text to show afterwards; it must not contain a secret */
      apply(user: AllowedUser): Promise<ModalView | string>;
    };

/** Who opens the modal, and from where: in an open modal, the new one is pushed on top of it. */
type Opening = Actor & Pick<Started<Press>, 'triggerId' | 'isFirst'> & { from?: Press['from'] };

/**
 * Opens a modal for someone with access, once. `views.open` is the first remote call, since the trigger expires after
 * 3 s. It opens with its content if the cached answer about the person allows it and is recent (of any age for a form),
 * and becomes a refusal if Slack's fresh answer denies access. Otherwise, the loading view comes first.
 *
 * @throws Slack's error if the modal can't be opened; later errors are shown in it, unless it has changed since
 */
export async function openModal(
  { access, log }: { access: AccessControl; log: Log },
  actor: Opening,
  needed: Access,
  toOpen: ModalToOpen,
): Promise<void> {
  const texts = 'title' in toOpen ? plainTexts(toOpen.title) : toOpen;
  const { modal, isOpen } = createModal(actor, texts);
  try {
    // Admin rights are never taken from the cache.
    const age = toOpen.isForm ? 'any' : 'recent';
    const cached = needed === 'admins' ? undefined : await access.checkCached(actor, needed, age);
    const isAllowed = cached !== undefined && 'user' in cached;
    await (isAllowed ? toOpen.fill(cached.user, modal) : modal.load());
    const checked = await access.check(actor, needed).catch((error: unknown) => {
      if (!isAllowed) throw error;
      log.info({ err: error }, 'could not recheck who opened a modal, so the cached answer stands');
      return cached;
    });
    if ('denied' in checked) {
      await modal.draw(await access.explainDenied(actor, checked.denied));
    } else if (!isAllowed) await toOpen.fill(checked.user, modal);
  } catch (error) {
    if (isOpen()) await modal.draw(reportUnexpected(log, error, 'could not fill a modal'));
    else if (await actor.isFirst) throw error;
  }
}

/** Thrown instead of opening a modal whose command or shortcut was delivered before. */
export const DELIVERED_BEFORE = new Error('it was delivered before');

/** Its functions return the view as shown now, or undefined if it was closed. */
function createModal(opening: Opening, { loading, notice }: Texts) {
  const { client, triggerId, from } = opening;
  const isFirst = inTime(opening.isFirst, true);
  let id: string | undefined;
  let current: ShownView | undefined;
  const modal = {
    /** Opens the loading view unless the modal is open already. */
    load: async () => (id === undefined ? modal.draw(loading) : current),

    /** Opens the modal with this view, or with only a text. If it is open, updates it. */
    async draw(content: ModalView | string): Promise<ShownView | undefined> {
      if (id === undefined && !(await isFirst)) throw DELIVERED_BEFORE;
      const view = typeof content === 'string' ? await notice(content, opening) : content;
      if (id !== undefined) {
        current = await updateView(client, { id }, view);
        return current;
      }
      const open = from === 'modal' ? client.views.push : client.views.open;
      const { view: opened } = await open({ trigger_id: triggerId, view });
      if (!opened?.id) throw new Error('Slack returned no view');
      id = opened.id;
      current = { id, hash: opened.hash };
      return current;
    },
  };
  return { modal, isOpen: () => id !== undefined };
}
