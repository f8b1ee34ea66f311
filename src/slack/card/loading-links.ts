import type { WorkspaceId } from '../../installations/workspace-id.ts';
import { onceKind } from '../../store/entries.ts';
import type { SlackDeps } from '../deps.ts';
import type { CardLink } from './unfurl-content.ts';

/** The links of a posted message, in order, and where it was posted. */
type LinksOfMessage = {
  workspaceId: WorkspaceId;
  channel: string;
  ts: string;
  links: readonly CardLink[];
};

/** Longer than anything tries to complete them. */
const LOADING = onceKind('loading_link', 2 * 24 * 60 * 60_000);

/**
 * Which links of a message say that they are loading. Stored, because another replica, or the process after a restart,
 * may be the one that has to replace these words.
 */
export function loadingLinksOf(
  { entries, now }: Pick<SlackDeps, 'entries' | 'now'>,
  { workspaceId, channel, ts, links }: LinksOfMessage,
) {
  // By its place in the message, because a link may be too long to be part of a key.
  const named = links.map((link, place) => ({
    link,
    key: { kind: LOADING, owner: workspaceId, name: `${channel}/${ts}/${place}` },
  }));
  return {
    /** @returns these links as Slack reported them */
    async get(): Promise<ReadonlySet<string>> {
      const loading = new Set<string>();
      for (const { link, key } of named) {
        if (await entries.get(key)) loading.add(link.postedAs);
      }
      return loading;
    },
    async record(loading: readonly CardLink[]): Promise<void> {
      const said = new Set(loading.map(({ postedAs }) => postedAs));
      for (const { link, key } of named) {
        if (said.has(link.postedAs)) await entries.put(key, true, now());
      }
    },
    async clear(): Promise<void> {
      for (const { key } of named) await entries.remove(key);
    },
  };
}
