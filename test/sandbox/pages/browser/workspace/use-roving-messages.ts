import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
} from 'react';

const CONTROLS = 'a[href], button, input, select, textarea';
const STEPS: Record<string, number> = {
  ArrowUp: -1,
  ArrowDown: 1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const messagesIn = (box: HTMLElement) => [...box.querySelectorAll<HTMLElement>('article')];

/** Whether the Tab key stops at what is inside a message. */
function setReachable(message: HTMLElement, isReachable: boolean): void {
  for (const control of message.querySelectorAll<HTMLElement>(CONTROLS)) {
    if (isReachable) control.removeAttribute('tabindex');
    else control.tabIndex = -1;
  }
}

/**
 * Makes all messages one stop of the Tab key: arrow keys move between them, Enter goes into one, and Escape leaves it
 * (w3.org/WAI/ARIA/apg/practices/keyboard-interface, “roving tabindex”).
 */
export function useRovingMessages(box: RefObject<HTMLElement | null>) {
  /** The message with the focus. */
  const held = useRef<HTMLElement>(undefined);

  const apply = useCallback(() => {
    // A pressed button may be gone once its message has been redrawn.
    const isLost = document.activeElement === document.body;
    if (isLost && held.current?.isConnected) held.current.focus({ preventScroll: true });
    const messages = box.current ? messagesIn(box.current) : [];
    const focused = document.activeElement;
    const holder = messages.find((message) => message.contains(focused));
    const stop = holder ?? messages.at(-1);
    for (const message of messages) {
      message.tabIndex = message === stop ? 0 : -1;
      setReachable(message, message === holder && message !== focused);
    }
  }, [box]);

  // After every drawing, since any of them may bring new messages and buttons.
  useEffect(apply);

  function onKeyDown(event: KeyboardEvent) {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !box.current) return;
    const message = target.closest<HTMLElement>('article');
    if (!message || event.defaultPrevented) return;
    if (message !== target) {
      if (key === 'Escape') message.focus();
      return;
    }
    const messages = messagesIn(box.current);
    const step = STEPS[key];
    if (step !== undefined) {
      event.preventDefault();
      const to = Math.max(0, Math.min(messages.indexOf(message) + step, messages.length - 1));
      messages[to]?.focus();
    } else if (key === 'Enter') {
      event.preventDefault();
      message.querySelector<HTMLElement>(CONTROLS)?.focus();
    }
  }
  function onFocus({ target }: FocusEvent<HTMLElement>) {
    held.current = target.closest('article') ?? undefined;
    apply();
  }
  function onBlur({ target }: FocusEvent<HTMLElement>) {
    // What is focused next is known only after the event.
    setTimeout(() => {
      const isLeft = target.isConnected && !box.current?.contains(document.activeElement);
      if (isLeft) held.current = undefined;
      apply();
    });
  }
  return { onKeyDown, onFocus, onBlur };
}
