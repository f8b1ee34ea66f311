import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { SlackDeps } from '../deps.ts';
import type { CardLink } from './unfurl-content.ts';

/** The links of a posted message, in order, and who posted it where. */
type LinksOfMessage = {
  workspaceId: WorkspaceId;
  user: string;
  channel: string;
  ts: string;
  links: readonly CardLink[];
};

/**
 * Which links of a message say that they are loading. Stored, because another replica, or the process after a restart,
 * may be the one that has to replace these words.
 */
export function loadingLinksOf(
  { hints, now }: Pick<SlackDeps, 'hints' | 'now'>,
  { workspaceId, user, channel, ts, links }: LinksOfMessage,
) {
  // By its place in the message, because a link may be too long to be part of a key.
  const named = links.map((link, place) => ({
    link,
    hint: `link-loading/${channel}/${ts}/${place}`,
  }));
  return {
    /** @returns these links as Slack reported them */
    async get(): Promise<ReadonlySet<string>> {
      const loading = new Set<string>();
      for (const { link, hint } of named) {
        if (await hints.hasHad(workspaceId, user, hint)) loading.add(link.postedAs);
      }
      return loading;
    },
    async record(loading: readonly CardLink[]): Promise<void> {
      const said = new Set(loading.map(({ postedAs }) => postedAs));
      for (const { link, hint } of named) {
        if (said.has(link.postedAs)) await hints.recordFirst(workspaceId, user, hint, now());
      }
    },
    async clear(): Promise<void> {
      for (const { hint } of named) await hints.undo(workspaceId, user, hint);
    },
  };
}
