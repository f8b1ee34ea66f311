import type { ReactNode } from 'react';

/** A card's URL ends like this on any host: see CARD_URL_TEMPLATE in the sandbox's stage. */
const CARD_PATH = /^\/card\/([^/]+)$/;

/**
 * A link's target: cards lead to this sandbox's dashboard, everything else to its own URL; undefined if no
 * browser should open it.
 */
export function openable(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^(?:https?|mailto):$/.test(parsed.protocol)) return undefined;
  const [, cardId] = CARD_PATH.exec(parsed.pathname) ?? [];
  return cardId === undefined ? url : `/dashboard?card=${cardId}`;
}

export function ExternalLink({ url, children }: { url: string; children: ReactNode }) {
  const href = openable(url);
  if (href === undefined) return children;
  return (
    <a href={href} title={url} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
