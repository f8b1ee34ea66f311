import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { BotTokens, Installation, InstallationStore } from '../../store/installations.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { TokenExchange } from './token-exchange.ts';
import { TokenMismatchError } from './whose-token.ts';

/**
 * A replica claims the renewal for this long, in ms, and extends its claim every second. Short, so
 * that another replica takes over soon if it dies: Slack accepts a used refresh token again only
 * for a short time.
 */
export const CLAIM_MS = 3_000;
const EXTEND_EVERY_MS = 1_000;
/** Pause after a failed renewal, in ms; the current token still works. */
const RETRY_AFTER_MS = 30_000;
/** Pauses between attempts to save the new tokens, which exist nowhere else, in ms. */
const SAVE_PAUSES_MS = [50, 100, 200, 400, 800, 1_600];

/** Attempts of a call to Slack that isn't answered, and the pause between them, in ms. */
const MAX_ATTEMPTS = 3;
const ATTEMPT_PAUSE_MS = 500;

type RenewDeps = {
  installations: InstallationStore;
  exchange: Pick<TokenExchange, 'refresh'>;
  now: () => Date;
};

/**
 * Exchanges an installation's refresh token for new tokens and saves them. Only one replica does so
 * at a time.
 *
 * @returns false if another replica is renewing it, has renewed it, or has just failed to
 * @throws Slack's or the database's error; the current tokens stay
 */
export async function renewToken(deps: RenewDeps, install: Installation): Promise<boolean> {
  const { installations, now } = deps;
  const { refreshToken } = install;
  const after = (ms: number) => new Date(now().getTime() + ms);
  if (refreshToken === undefined) return false;
  if (!(await installations.claimRefresh(install, after(CLAIM_MS), now()))) return false;
  const extend = () =>
    installations.postponeRefresh(install, after(CLAIM_MS)).catch(() => undefined);
  const extending = setInterval(extend, EXTEND_EVERY_MS);
  const tokens = await exchangeWithRetries(deps, refreshToken, install.id).catch(
    async (error: unknown) => {
      clearInterval(extending);
      await installations.postponeRefresh(install, after(RETRY_AFTER_MS)).catch(() => undefined);
      throw error;
    },
  );
  clearInterval(extending);
  await save(installations, install, tokens);
  return true;
}

/**
 * Without an answer, Slack may have used up the refresh token, which it accepts again only for a
 * short time, so retry right away.
 */
async function exchangeWithRetries(
  { exchange }: RenewDeps,
  refreshToken: string,
  id: OwnerId,
): Promise<BotTokens> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exchange.refresh(refreshToken, id);
    } catch (error) {
      const isFinal = error instanceof TokenMismatchError || outcomeOfCall(error) !== 'unknown';
      if (isFinal || attempt === MAX_ATTEMPTS) throw error;
      await sleep(ATTEMPT_PAUSE_MS);
    }
  }
}

async function save(installations: InstallationStore, install: Installation, tokens: BotTokens) {
  for (const pause of SAVE_PAUSES_MS) {
    try {
      return await installations.saveTokens(install, tokens);
    } catch {
      await sleep(pause);
    }
  }
  return installations.saveTokens(install, tokens);
}
