import { STATUSES } from '../../stand-ins/design-service/cards.ts';
import type { Stage } from '../stage.ts';
import type { AppProcess } from '../start-app-process.ts';
import type { AppState, FrameShown, TourStep } from './frame.ts';
import type { FaultsPanel } from './service/faults-panel.ts';
import type { Keys } from './service/keys.ts';

export type AppControl = ReturnType<typeof createAppControl>;

export function createAppControl(changed: () => void) {
  let app: AppProcess | undefined;
  let frozen = false;
  return {
    attach(started: AppProcess) {
      app = started;
      if (frozen) app.freeze();
      changed();
    },
    state: (): AppState => (!app ? 'starting' : frozen ? 'frozen' : 'running'),
    /** Makes the app hang: it answers nothing, and Slack's three seconds pass. */
    freeze() {
      frozen = true;
      app?.freeze();
    },
    resume() {
      frozen = false;
      app?.resume();
    },
  };
}

/** Notices which of the suggested things somebody has tried in the pages. */
export function createTour(deps: {
  stage: Pick<Stage, 'slack' | 'service' | 'cardUrl' | 'ada'>;
  faults: Pick<FaultsPanel, 'list'>;
  keys: Pick<Keys, 'list'>;
  app: Pick<AppControl, 'state'>;
}) {
  const { stage, faults, keys, app } = deps;
  const { slack, service } = stage;
  const done = new Set<TourStep>();
  const firstKey = service.apiKey;
  /** When somebody first pressed a modal's button, and posted a message. Before, the walk did. */
  const first: { submit?: number; post?: number } = {};
  let isUsedWhileFrozen = false;

  const cardsMade = () =>
    service
      .calls({ operation: 'createCard', executed: true })
      .filter(({ at }) => first.submit !== undefined && at.getTime() >= first.submit);
  const isPersons = (userId: string) => slack.state.users.get(userId)?.isBot === false;
  const isPreviewShown = () =>
    [...slack.state.messages.values()].flat().some(({ userId, ts, attachments }) => {
      const isNew = first.post !== undefined && Number(ts) * 1_000 >= first.post;
      return isNew && isPersons(userId) && attachments.length > 0;
    });
  const isDelivered = () =>
    cardsMade().some(({ createdCardId = '' }) => {
      const card = service.cards.get(createdCardId);
      return (
        card?.status.id === STATUSES.done.id && card.files.some(({ type }) => type === 'design')
      );
    });
  const isFaultOvercome = () =>
    cardsMade().length > 0 && faults.list().some(({ struck }) => struck > 0);
  const isOtherKeyUsed = () => {
    const others = keys.list().flatMap(({ key }) => (key && key !== firstKey ? [key] : []));
    const endings = new Set(others.map((key) => key.slice(-4)));
    return service.calls({ executed: true }).some(({ keyEnding = '' }) => endings.has(keyEnding));
  };

  return {
    acts(what: string) {
      if (what === 'submit' || what === 'post') first[what] ??= Date.now();
      if (app.state() === 'frozen') isUsedWhileFrozen = true;
    },
    resumes() {
      if (isUsedWhileFrozen) done.add('freeze');
    },
    shown(): FrameShown['tour'] {
      const made = cardsMade();
      if (made.length > 0) done.add('request');
      if (isPreviewShown()) done.add('link');
      if (isDelivered()) done.add('deliver');
      if (isFaultOvercome()) done.add('fault');
      if (isOtherKeyUsed()) done.add('key');
      const id = made.at(-1)?.createdCardId;
      const cardUrl = id === undefined ? undefined : stage.cardUrl(id);
      return { done: [...done], cardUrl, adminId: stage.ada.id };
    },
  };
}
