import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../clock.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation, InstallationStore } from '../../store/installations.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import { type TokenExchange, TokenMismatchError } from './token-exchange.ts';

/** Decrypted installations to keep in memory: decrypting takes longer than checking the version. */
const MAX_CACHED = 2_000;
/** Slack's own libraries renew a token two hours before it expires (@slack/oauth). */
const RENEW_BEFORE_MS = 2 * 60 * 60_000;
/** A token that expires sooner than this is not used, since a job may take that long, in ms. */
const MIN_REMAINING_MS = 60_000;
/** How long one process claims a renewal, in ms. After that, a renewal that failed or never ended is tried again. */
const CLAIM_MS = 60_000;
/** Pauses between attempts, in ms. All attempts of a call and of storing its result end before the claim does. */
const PAUSES_MS = [100, 400, 1_600];
/** How long to wait while another process renews an expired token, and how often to look, in ms. */
const OTHERS_RENEW_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Slack's code for a refresh token that will never work again. */
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
  // Holds the promise, so that a read that was started before `forget` isn't cached after it.
  const cached = new LRUCache<OwnerId, Promise<Installation | undefined>>({
    ...atMost(MAX_CACHED),
  });
  const renewing = new Map<OwnerId, Promise<boolean>>();

  /**
   * Checks the version first: another replica may have reinstalled the app, renewed the token, or
   * removed it.
   */
  async function read(id: OwnerId): Promise<Installation | undefined> {
    const kept = cached.get(id);
    if (!kept) return open(id);
    // While the database is away, the cached one is used: people still hear that nothing could be saved.
    const describing = installations.describe(id).catch(() => kept);
    const [install, current] = await Promise.all([kept, describing]);
    if (install?.version === current?.version) return install;
    if (cached.get(id) === kept) cached.delete(id);
    return cached.get(id) ?? open(id);
  }

  function open(id: OwnerId): Promise<Installation | undefined> {
    const reading = installations.open(id, botToken);
    cached.set(id, reading);
    const drop = () => cached.get(id) === reading && cached.delete(id);
    // A missing installation is not cached: it may appear at any moment, on any replica.
    reading.then((found) => found ?? drop(), drop);
    return reading;
  }

  const msLeft = ({ expiresAt }: Installation) =>
    expiresAt ? expiresAt.getTime() - now().getTime() : Number.POSITIVE_INFINITY;

  /**
   * One renewal at a time: the claim ensures that across processes.
   *
   * @returns false if another process is renewing it or has renewed it, or if that failed within the last minute
   * @throws Slack's error, or the database's
   */
  function renewIfUnclaimed(install: Installation): Promise<boolean> {
    const { id } = install;
    const running = renewing.get(id);
    if (running !== undefined) return running;
    const work = claimAndRenew(install).finally(() => {
      renewing.delete(id);
      cached.delete(id);
    });
    renewing.set(id, work);
    return work;
  }

  async function claimAndRenew(install: Installation): Promise<boolean> {
    const { id, refreshToken } = install;
    if (!exchange || refreshToken === undefined) return false;
    const until = new Date(now().getTime() + CLAIM_MS);
    if (!(await installations.claimRefresh(install, until, now()))) return false;
    // Without an answer, Slack may have used up the refresh token, which it accepts again only for a short time.
    const tokens = await persistently(() => exchange.refresh(refreshToken, id), isFinal);
    // The new tokens exist nowhere else.
    await persistently(() => installations.saveTokens(install, tokens));
    return true;
  }

  /** @throws also if it was not renewed in time */
  async function renewNow(install: Installation): Promise<void> {
    if (await renewIfUnclaimed(install)) return;
    for (let waited = 0; waited < OTHERS_RENEW_WITHIN_MS; waited += LOOK_EVERY_MS) {
      if ((await installations.describe(install.id))?.version !== install.version) return;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`the token of ${install.id} could not be renewed; retrying later`);
  }

  async function renewInBackground(install: Installation): Promise<void> {
    const { id } = install;
    try {
      if (await renewIfUnclaimed(install)) log.info({ workspace: id }, 'a token was renewed');
    } catch (error) {
      const message =
        slackErrorCode(error) === REFRESH_TOKEN_INVALID
          ? 'Slack refused to renew a token: reinstall the app in this workspace'
          : 'could not renew a token; retrying later';
      log.error({ err: error, workspace: id }, message);
    }
  }

  return {
    /**
     * @returns undefined if the app is not installed
     * @throws SealError if the stored tokens can't be decrypted; Slack's error if an expired token
     *   can't be renewed
     */
    async get(id: OwnerId): Promise<Installation | undefined> {
      const install = await read(id);
      if (!install?.refreshToken || msLeft(install) > RENEW_BEFORE_MS) return install;
      if (msLeft(install) <= MIN_REMAINING_MS) {
        await renewNow(install);
        return read(id);
      }
      // The current token still works for a while.
      void renewInBackground(install);
      return install;
    },

    /** The same, but the token may have expired. */
    peek: read,

    /**
     * Renews a token that Slack rejects although it has not expired.
     *
     * @returns false if Slack rejects the refresh token, too
     * @throws if the outcome isn't known
     */
    async renew(install: Installation): Promise<boolean> {
      try {
        await renewNow(install);
        return true;
      } catch (error) {
        if (slackErrorCode(error) === REFRESH_TOKEN_INVALID) return false;
        throw error;
      }
    },

    /** Renews all tokens that expire soon; failures are logged. */
    async renewExpiring(): Promise<void> {
      const soon = new Date(now().getTime() + RENEW_BEFORE_MS);
      for (const id of await installations.listExpiring(soon)) {
        const install = await read(id).catch(() => undefined);
        if (install) await renewInBackground(install);
      }
    },

    /** Call it when an installation changes. */
    forget: (id: OwnerId) => void cached.delete(id),
  };
}

const isFinal = (error: unknown) =>
  error instanceof TokenMismatchError || outcomeOfCall(error) !== 'unknown';

async function persistently<Result>(
  work: () => Promise<Result>,
  isHopeless: (error: unknown) => boolean = () => false,
): Promise<Result> {
  for (const pause of PAUSES_MS) {
    try {
      return await work();
    } catch (error) {
      if (isHopeless(error)) throw error;
      await sleep(pause);
    }
  }
  return work();
}
