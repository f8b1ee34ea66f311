import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation, InstallationStore } from '../../store/installations.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { TokenExchange } from './token-exchange.ts';

/** Decrypted installations to keep, 30 KB each with their client: decrypting takes longer than checking the version. */
const MAX_CACHED = 500;
/** Slack's own libraries renew a token two hours before it expires (@slack/oauth). */
const RENEW_BEFORE_MS = 2 * 60 * 60_000;
/** A token that expires sooner than this is not used, since a job may take that long, in ms. */
const MIN_REMAINING_MS = 60_000;
/** How long one process claims a renewal, in ms. After that, a renewal that failed or never ended is tried again. */
const CLAIM_MS = 60_000;
/** Pauses between attempts, in ms. All attempts of a call and of storing its result end before the claim does. */
const PAUSES_MS = [100, 400, 1_600];

const REFRESH_TOKEN_INVALID = 'invalid_refresh_token';

export type LiveInstallations = ReturnType<typeof createLiveInstallations>;

/** Installations with working tokens. Expiring tokens are renewed in time, by one process. */
export function createLiveInstallations(deps: {
  installations: InstallationStore;
  /** SLACK_BOT_TOKEN, whose installation is stored without it. */
  botToken: string | undefined;
  /** Undefined if no token expires. */
  exchange: Pick<TokenExchange, 'refresh'> | undefined;
  now: () => Date;
  log: Log;
}) {
  const { installations, botToken, exchange, now, log } = deps;
  const cached = new LRUCache<OwnerId, Installation>(atMost(MAX_CACHED));
  const renewing = new Map<OwnerId, Promise<boolean>>();

  /** While the database is unavailable, the cached one counts: people still hear that nothing could be saved. */
  const stored = (id: OwnerId) =>
    installations.describe(id).catch((error: unknown) => {
      const kept = cached.get(id);
      if (!kept) throw error;
      return kept;
    });

  /** The cached one only if it is current: it may have been replaced, renewed, or removed, also by another replica. */
  async function find(id: OwnerId): Promise<Installation | undefined> {
    const current = await stored(id);
    const kept = cached.get(id);
    if (kept && kept.version === current?.version) return kept;
    const install = current && (await installations.open(id, botToken));
    if (install) cached.set(id, install);
    else cached.delete(id);
    return install;
  }

  const msLeft = ({ expiresAt }: Installation) =>
    expiresAt ? expiresAt.getTime() - now().getTime() : Number.POSITIVE_INFINITY;

  /** @returns false if another process is renewing it or has renewed it, or if that failed within the last minute */
  function renewOnce(install: Installation): Promise<boolean> {
    const { id } = install;
    const work = renewing.get(id) ?? claimAndRenew(install).finally(() => void renewing.delete(id));
    renewing.set(id, work);
    return work;
  }

  async function claimAndRenew(install: Installation): Promise<boolean> {
    const { refreshToken } = install;
    if (!exchange || refreshToken === undefined) return false;
    const until = new Date(now().getTime() + CLAIM_MS);
    if (!(await installations.claimRefresh(install, until, now()))) return false;
    // Without an answer, Slack may have used up the refresh token, which it accepts again only for a short time.
    const tokens = await persistently(() => exchange.refresh(refreshToken));
    // The new tokens exist nowhere else.
    await persistently(() => installations.saveTokens(install, tokens));
    return true;
  }

  async function renewInBackground(install: Installation): Promise<void> {
    const { id } = install;
    try {
      if (await renewOnce(install)) log.info({ workspace: id }, 'a token was renewed');
    } catch (error) {
      const message =
        slackErrorCode(error) === REFRESH_TOKEN_INVALID
          ? 'Slack refused to renew a token: reinstall the app in this workspace'
          : 'could not renew a token; retrying later';
      log.error({ err: error, workspace: id }, message);
    }
  }

  return {
    /** @throws SealError if the tokens can't be decrypted; Slack's error if an expired token can't be renewed */
    async get(id: OwnerId): Promise<Installation | undefined> {
      const install = await find(id);
      if (!install?.refreshToken || msLeft(install) > RENEW_BEFORE_MS) return install;
      if (msLeft(install) > MIN_REMAINING_MS) {
        // The current token still works for a while.
        void renewInBackground(install);
        return install;
      }
      await renewOnce(install);
      const renewed = await find(id);
      if (renewed && msLeft(renewed) > MIN_REMAINING_MS) return renewed;
      throw new Error(`the token of ${id} has expired and is being renewed; retrying later`);
    },

    /** The same, but the token may have expired. */
    find,

    /** Whether there is one, even if its tokens are elsewhere or can't be decrypted. */
    isStored: async (id: OwnerId): Promise<boolean> => (await stored(id)) !== undefined,

    /** For a token that Slack rejects although it has not expired. @returns false if it rejects the refresh token, too */
    async renew(install: Installation): Promise<boolean> {
      const isRenewed = await renewOnce(install).catch((error: unknown) => {
        if (slackErrorCode(error) !== REFRESH_TOKEN_INVALID) throw error;
        return undefined;
      });
      if (isRenewed === false) throw new Error(`the token of ${install.id} is being renewed`);
      return isRenewed === true;
    },

    async renewExpiring(): Promise<void> {
      const soon = new Date(now().getTime() + RENEW_BEFORE_MS);
      for (const id of await installations.listExpiring(soon)) {
        const install = await find(id).catch(() => undefined);
        if (install) await renewInBackground(install);
      }
    },

    /** So that no token stays in memory after an uninstall. */
    forget: (id: OwnerId) => void cached.delete(id),
  };
}

/** Tries again while it isn't known whether the work was done. */
async function persistently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (outcomeOfCall(error) !== 'unknown') throw error;
      await sleep(pause);
    }
  }
  return work();
}
