import type { OwnerId } from '../../src/installations/workspace-id.ts';
import { type EntryKey, onceKind } from '../../src/store/entries.ts';

const KIND = onceKind('for_tests');

/** Names an entry of a kind that the app doesn't have. */
export const once = (owner: OwnerId, name: string): EntryKey<true> => ({ kind: KIND, owner, name });
