import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { Installation, InstallationStore } from '../../store/installations.ts';
import { slackErrorCode } from '../client/errors.ts';
import { renewToken } from './renew-token.ts';
import type { TokenExchange } from './token-exchange.ts';

/** Installs with tokens that work: expiring ones are exchanged in time, once over all replicas. */
export type LiveInstallations = {
  /**
   * @returns undefined where the app is not installed
   * @throws SealError where the stored tokens can't be opened, Slack's error where an expired one can't
   *   be exchanged
   */
  get(id: OwnerId): Promise<Installation | undefined>;
  /** The same with whatever token there is, expired or not. */
  peek(id: OwnerId): Promise<Installation | undefined>;
  /**
   * Exchanges a token that Slack does not take, although it has not expired.
   *
   * @returns false where Slack does not take its refresh token either
   * @throws where that is not known
   */
  renew(install: Installation): Promise<boolean>;
  /** Exchanges all tokens that expire soon; failures are logged. */
  renewExpiring(): Promise<void>;
  /** To be called when an install changes. */
  forget(id: OwnerId): void;
};

/** Opened tokens that are kept: unsealing one takes longer than asking whether it is still the newest. */
const REMEMBERED_INSTALLS = 2_000;
/** Slack's own libraries exchange a token that expires within two hours (@slack/oauth). */
const RENEW_BEFORE_MS = 2 * 60 * 60_000;
/** A token that works no longer than this is not used any more: a job may take so long. */
const STILL_WORKS_MS = 60_000;
/** How long one waits for another replica's exchange, in ms: three tries of five seconds at most. */
const EXCHANGED_WITHIN_MS = 16_000;
/** How often one looks whether another replica's exchange has ended, in ms. */
const LOOK_AGAIN_MS = 100;

/** What Slack says to a refresh token that it will never take again. */
const USED_UP = 'invalid_refresh_token';

export function createLiveInstallations(deps: {
  installations: InstallationStore;
  exchange: Pick<TokenExchange, 'refresh'>;
  now: () => Date;
  log: Log;
}): LiveInstallations {
  const { installations, now, log } = deps;
  // Kept from when their reading begins: what is forgotten meanwhile does not come back by it.
  const known = new LRUCache<OwnerId, Promise<Installation | undefined>>({
    max: REMEMBERED_INSTALLS,
  });
  const renewing = new Map<OwnerId, Promise<boolean>>();

  /** Another replica may have installed it anew, exchanged its token, or removed it. */
  async function read(id: OwnerId): Promise<Installation | undefined> {
    const kept = known.get(id);
    if (!kept) return open(id);
    const [install, current] = await Promise.all([kept, installations.describe(id)]);
    if (install?.version === current?.version) return install;
    if (known.get(id) === kept) known.delete(id);
    return known.get(id) ?? open(id);
  }

  function open(id: OwnerId): Promise<Installation | undefined> {
    const reading = installations.open(id);
    known.set(id, reading);
    const drop = () => known.get(id) === reading && known.delete(id);
    // That it is not installed may change at any moment, on any replica.
    reading.then((found) => found ?? drop(), drop);
    return reading;
  }

  const msLeft = ({ expiresAt }: Installation) =>
    expiresAt ? expiresAt.getTime() - now().getTime() : Number.POSITIVE_INFINITY;

  /** One exchange at a time in this process; over all replicas the database sees to it. */
  function renewOnce(install: Installation): Promise<boolean> {
    const { id } = install;
    const underWay = renewing.get(id);
    if (underWay !== undefined) return underWay;
    const work = renewToken(deps, install).finally(() => {
      renewing.delete(id);
      known.delete(id);
    });
    renewing.set(id, work);
    return work;
  }

  async function renewBehind(install: Installation): Promise<void> {
    const { id } = install;
    try {
      if (await renewOnce(install)) log.info({ workspace: id }, 'a token was renewed');
    } catch (error) {
      const words =
        slackErrorCode(error) === USED_UP
          ? 'Slack does not renew a token: the app must be installed again there'
          : 'a token could not be renewed, tried again later';
      log.error({ err: error, workspace: id }, words);
    }
  }

  /** The token has expired, so nothing can be done before there is another. */
  async function awaitRenewed(install: Installation): Promise<Installation | undefined> {
    const { id } = install;
    await renewOnce(install);
    for (let waited = 0; waited < EXCHANGED_WITHIN_MS; waited += LOOK_AGAIN_MS) {
      const current = await read(id);
      if (!current || msLeft(current) > STILL_WORKS_MS) return current;
      await sleep(LOOK_AGAIN_MS);
      known.delete(id);
    }
    throw new Error(`the token of ${id} has expired, and nobody has renewed it`);
  }

  return {
    async get(id) {
      const install = await read(id);
      if (!install?.refreshToken || msLeft(install) > RENEW_BEFORE_MS) return install;
      if (msLeft(install) <= STILL_WORKS_MS) return awaitRenewed(install);
      // Nobody waits for it: the token works for a while.
      void renewBehind(install);
      return install;
    },

    peek: read,

    async renew(install) {
      try {
        if (await renewOnce(install)) return true;
      } catch (error) {
        if (slackErrorCode(error) === USED_UP) return false;
        throw error;
      }
      throw new Error(`whether the token of ${install.id} can be renewed is not known`);
    },

    async renewExpiring() {
      const soon = new Date(now().getTime() + RENEW_BEFORE_MS);
      for (const id of await installations.listExpiring(soon)) {
        const install = await read(id).catch(() => undefined);
        if (install) await renewBehind(install);
      }
    },

    forget: (id) => void known.delete(id),
  };
}
