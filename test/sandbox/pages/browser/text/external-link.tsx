import type { ReactNode } from 'react';

/** A card's address ends so, whatever its host: see CARD_URL_TEMPLATE of the sandbox's stage. */
const CARD_PATH = /^\/card\/([^/]+)$/;

/**
 * Where a link leads from here: cards to the dashboard of this sandbox, everything else to where it
 * says; undefined for what no browser should open.
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
