import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../bounds.ts';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation, InstallationStore } from '../../store/installations.ts';
import { slackErrorCode } from '../client/errors.ts';
import { CLAIM_MS, renewToken } from './renew-token.ts';
import type { TokenExchange } from './token-exchange.ts';

/** Installations with working tokens. Expiring tokens are renewed in time, by one replica. */
export type LiveInstallations = {
  /**
   * @returns undefined if the app is not installed
   * @throws SealError if the stored tokens can't be decrypted; Slack's error if an expired token
   *   can't be renewed
   */
  get(id: OwnerId): Promise<Installation | undefined>;
  /** The same, but the token may have expired. */
  peek(id: OwnerId): Promise<Installation | undefined>;
  /**
   * Renews a token that Slack rejects although it has not expired.
   *
   * @returns false if Slack rejects the refresh token, too
   * @throws if the outcome isn't known
   */
  renew(install: Installation): Promise<boolean>;
  /** Renews all tokens that expire soon; failures are logged. */
  renewExpiring(): Promise<void>;
  /** Call it when an installation changes. */
  forget(id: OwnerId): void;
};

/** Decrypted installations to keep in memory: decrypting takes longer than checking the version. */
const MAX_CACHED = 2_000;
/** Slack's own libraries renew a token two hours before it expires (@slack/oauth). */
const RENEW_BEFORE_MS = 2 * 60 * 60_000;
/** A token that expires sooner than this is not used, since a job may take that long, in ms. */
const MIN_REMAINING_MS = 60_000;
/**
 * How long to wait for another replica's renewal, in ms: at most three attempts of five seconds.
 */
const RENEWAL_TIMEOUT_MS = 16_000;
/** How often to check whether it has ended, or whether its claim has expired, in ms. */
const POLL_EVERY_MS = 100;

/** Slack's code for a refresh token that will never work again. */
const REFRESH_TOKEN_INVALID = 'invalid_refresh_token';

export function createLiveInstallations(deps: {
  installations: InstallationStore;
  exchange: Pick<TokenExchange, 'refresh'>;
  now: () => Date;
  log: Log;
}): LiveInstallations {
  const { installations, now, log } = deps;
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
    const [install, current] = await Promise.all([kept, installations.describe(id)]);
    if (install?.version === current?.version) return install;
    if (cached.get(id) === kept) cached.delete(id);
    return cached.get(id) ?? open(id);
  }

  function open(id: OwnerId): Promise<Installation | undefined> {
    const reading = installations.open(id);
    cached.set(id, reading);
    const drop = () => cached.get(id) === reading && cached.delete(id);
    // A missing installation is not cached: it may appear at any moment, on any replica.
    reading.then((found) => found ?? drop(), drop);
    return reading;
  }

  const msLeft = ({ expiresAt }: Installation) =>
    expiresAt ? expiresAt.getTime() - now().getTime() : Number.POSITIVE_INFINITY;

  /** One renewal at a time per process; the database ensures one across replicas. */
  function renewOnce(install: Installation): Promise<boolean> {
    const { id } = install;
    const running = renewing.get(id);
    if (running !== undefined) return running;
    const work = renewOrWait(install).finally(() => {
      renewing.delete(id);
      cached.delete(id);
    });
    renewing.set(id, work);
    return work;
  }

  /**
   * Waits while another replica renews the token, and takes over if that replica dies: Slack accepts
   * a used refresh token again only for a short time, so nobody may wait for the next event.
   *
   * @returns false if a renewal has just failed, or takes too long
   */
  async function renewOrWait(install: Installation): Promise<boolean> {
    for (let elapsed = 0; elapsed < RENEWAL_TIMEOUT_MS; elapsed += POLL_EVERY_MS) {
      if (await renewToken(deps, install)) return true;
      const current = await installations.describe(install.id);
      if (current?.version !== install.version) return true;
      if ((current.refreshingUntil?.getTime() ?? 0) - now().getTime() > CLAIM_MS) return false;
      await sleep(POLL_EVERY_MS);
    }
    return false;
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

  /** @throws Slack's error, or an error if it was not renewed in time */
  async function renewNow(install: Installation): Promise<void> {
    if (await renewOnce(install)) return;
    throw new Error(`the token of ${install.id} could not be renewed; retrying later`);
  }

  return {
    async get(id) {
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

    peek: read,

    async renew(install) {
      try {
        await renewNow(install);
        return true;
      } catch (error) {
        if (slackErrorCode(error) === REFRESH_TOKEN_INVALID) return false;
        throw error;
      }
    },

    async renewExpiring() {
      const soon = new Date(now().getTime() + RENEW_BEFORE_MS);
      for (const id of await installations.listExpiring(soon)) {
        const install = await read(id).catch(() => undefined);
        if (install) await renewInBackground(install);
      }
    },

    forget: (id) => void cached.delete(id),
  };
}
