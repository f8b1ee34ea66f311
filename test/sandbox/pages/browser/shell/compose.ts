const EVENT = 'sandbox:compose';

/** Puts a text into the message box, and the focus behind it. */
export const compose = (text: string): void =>
  void window.dispatchEvent(new CustomEvent(EVENT, { detail: text }));

/** Listens for that. @returns what ends it */
export function onCompose(listener: (text: string) => void): () => void {
  const listen = (event: Event) => listener((event as CustomEvent<string>).detail);
  window.addEventListener(EVENT, listen);
  return () => window.removeEventListener(EVENT, listen);
}
