import type { ReactNode } from 'react';

/** A card's URL ends like this on any host: see CARD_URL_TEMPLATE in the sandbox's stage. */
const CARD_PATH = /^\/card\/([^/]+)$/;

/** The app's *Open dashboard* leads to the address of the cards without a path. */
const DASHBOARD_HOST = 'app.example.com';

/**
 * A link's target: cards and their service lead to this sandbox's dashboard, everything else to its own URL; undefined if no
 * browser should open it.
 */
export function openable(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (!parsed || !/^(?:https?|mailto):$/.test(parsed.protocol)) return undefined;
  const [, cardId] = CARD_PATH.exec(parsed.pathname) ?? [];
  if (cardId !== undefined) return `/dashboard?card=${cardId}`;
  const isService = parsed.hostname === DASHBOARD_HOST && parsed.pathname === '/';
  return isService ? '/dashboard' : url;
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
