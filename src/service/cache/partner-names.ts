import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../bounds.ts';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import { type Entries, entryKind } from '../../store/entries.ts';

const PARTNER_NAME = entryKind('partner_name', z.string());
const KEPT_NAMES = 1_000;

/** The first word of the partner products among names. */
export const partnerIn = (products: readonly string[]): string | undefined =>
  products.map((name) => /^(\S+) (?:Graphics|Plus)$/.exec(name)?.[1]).find(Boolean);

/** The first word of the two partner products of a workspace, once a card has named one. */
export function createPartnerNames({
  entries,
  now,
  log,
}: {
  entries: Entries;
  now: () => Date;
  log: Log;
}) {
  /** Empty for a workspace whose cards haven't named one. */
  const names = new LRUCache<WorkspaceId, string>(atMost(KEPT_NAMES));
  const entryOf = (owner: WorkspaceId) => ({ kind: PARTNER_NAME, owner, name: '' });
  const warn = (error: unknown) =>
    log.warn({ err: error }, 'could not look up or store the partner that a card names');

  /** Looked up in the database once. Never rejects: a form works without it. */
  async function of(id: WorkspaceId): Promise<string | undefined> {
    if (!names.has(id)) {
      const stored = await entries.get(entryOf(id)).catch(warn);
      // A card may have named it meanwhile.
      if (!names.has(id)) names.set(id, stored?.value ?? '');
    }
    return names.get(id) || undefined;
  }

  return {
    of,

    /** Remembers the name if a card's product has it and none did before. Never rejects. */
    async note(id: WorkspaceId, product = ''): Promise<void> {
      // “Motion Graphics” may be any product; only the partner's end with “Plus”.
      const name = product.endsWith(' Plus') ? partnerIn([product]) : undefined;
      if (name === undefined || (await of(id)) !== undefined) return;
      names.set(id, name);
      await entries.put(entryOf(id), name, now()).catch(warn);
    },

    forget: (id: WorkspaceId) => void names.delete(id),
  };
}
