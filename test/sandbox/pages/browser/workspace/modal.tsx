import {
  type FormEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { ViewShown } from '../../snapshots/workspace-snapshot.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SurfaceContext } from '../blocks/surface.tsx';
import { wordsOf } from '../blocks/text-object.tsx';
import { OpenViewContext, useView } from '../fields/open-view.tsx';
import { Alert } from '../shell/alert.tsx';
import { Avatar } from '../shell/avatar.tsx';
import { Button } from '../shell/button.tsx';
import { MAIN_INPUT } from '../shell/frame.tsx';
import { IconButton } from '../shell/icon.tsx';
import { useSlack } from './slack-context.ts';
import { WaitMeters } from './wait-meters.tsx';

type Props = { view: ViewShown; depth: number };

/** The front modal; the ones below it are reached with its Back button. */
export function Modal({ view, depth }: Props) {
  const { act } = useSlack();
  const dialog = useRef<HTMLDialogElement>(null);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  async function close(all: boolean) {
    await queue.current;
    await act({ do: 'close', viewId: view.id, all }).catch(() => undefined);
  }

  // Before the form inside sets the focus. Closing returns it to where it was, if that is still there.
  useLayoutEffect(() => {
    const box = dialog.current;
    box?.showModal();
    return () => {
      box?.close();
      const { activeElement: focused, body } = document;
      const isNowhere = focused === body || box?.contains(focused);
      const next = isNowhere ? document.getElementById(MAIN_INPUT) : focused;
      if (!(next instanceof HTMLElement)) return;
      // Chromium returns the focus without a caret, so that nothing could be typed.
      next.blur();
      next.focus();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      className="modal"
      data-depth={depth}
      aria-labelledby="modal-title"
      onCancel={(event) => {
        event.preventDefault();
        void close(false);
      }}
    >
      <ModalForm key={view.id} view={view} depth={depth} close={close} queue={queue} />
    </dialog>
  );
}

type FormProps = Props & {
  close: (all: boolean) => void;
  /** Resolves when the sandbox has what was typed last. */
  queue: RefObject<Promise<unknown>>;
};

function ModalForm({ view, depth, close, queue }: FormProps) {
  const { act, snapshot } = useSlack();
  const openView = useView(view, queue);
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { id, view: shown, notice, errors } = view;
  const submitName = wordsOf(shown.submit);
  const marked = Object.keys(errors).join();
  const hasFields = objectsOf(shown.blocks).some(({ type }) => type === 'input');

  // The first invalid field, or the field that the app chose, or the first field, which may come later: a form can open while it loads.
  useEffect(() => {
    const wrong = marked && form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (wrong) wrong.focus();
  }, [marked]);
  useEffect(() => {
    const input = ':is(input, textarea, .editor)';
    const find = (target: string) => form.current?.querySelector<HTMLElement>(target);
    const field = find(`[data-focus] ${input}`) ?? find(`.modal-body ${input}`);
    (hasFields && field ? field : find('.modal-body'))?.focus();
  }, [hasFields]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (sending || !submitName) return;
    setSending(true);
    try {
      await queue.current;
      await act({ do: 'submit', viewId: id }, submitName);
    } catch {
      // The view was closed meanwhile, so there is nothing to send.
    } finally {
      setSending(false);
    }
  }

  return (
    <form ref={form} className="modal-form" noValidate onSubmit={submit}>
      <header className="row modal-header">
        {depth > 1 ? (
          <IconButton icon="back" label="Back" onClick={() => close(false)} />
        ) : (
          <Avatar name={snapshot.appName} isApp />
        )}
        <h2 id="modal-title">{wordsOf(shown.title)}</h2>
        <IconButton icon="cross" label="Close" onClick={() => close(true)} />
      </header>
      <Alert className="modal-notice">{notice}</Alert>
      <div className="modal-body" tabIndex={-1}>
        <SurfaceContext value={{ kind: 'view', viewId: id }}>
          <OpenViewContext value={openView}>
            <Blocks blocks={objectsOf(shown.blocks)} />
          </OpenViewContext>
        </SurfaceContext>
      </div>
      <footer className="row modal-footer">
        <WaitMeters />
        <Button onClick={() => close(false)}>{wordsOf(shown.close) || 'Cancel'}</Button>
        {submitName ? (
          <button
            type="submit"
            className="button primary"
            aria-busy={sending}
            // A disabled button would lose the focus.
            aria-disabled={sending}
          >
            {submitName}
          </button>
        ) : null}
      </footer>
    </form>
  );
}
