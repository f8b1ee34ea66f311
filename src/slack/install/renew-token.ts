import { setTimeout as sleep } from 'node:timers/promises';
import type { BotTokens, Installation, InstallationStore } from '../../store/installations.ts';
import type { TokenExchange } from './token-exchange.ts';

/**
 * An exchange ends before this (the call's own time-out is 5 s): whoever holds the right to it for longer
 * has died. Slack takes the used refresh token again for a short time, so the next one comes soon; in ms.
 */
export const EXCHANGE_WITHIN_MS = 7_000;
/** After an exchange that failed, in ms; the token works meanwhile. */
const TRY_AGAIN_MS = 30_000;
/** The new tokens exist nowhere else, so keeping them is tried often; pauses between tries in ms. */
const SAVE_AGAIN_MS = [50, 100, 200, 400, 800, 1_600];

/**
 * Exchanges an install's refresh token for new tokens and keeps them. Of all who try, on any replica, one
 * does it.
 *
 * @returns false where somebody else does it, has done it, or has just failed to
 * @throws Slack's or the database's error; the tokens that there were stay
 */
export async function renewToken(
  deps: {
    installations: InstallationStore;
    exchange: Pick<TokenExchange, 'refresh'>;
    now: () => Date;
  },
  install: Installation,
): Promise<boolean> {
  const { installations, exchange, now } = deps;
  const { refreshToken } = install;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  if (refreshToken === undefined) return false;
  if (!(await installations.claimRefresh(install, inMs(EXCHANGE_WITHIN_MS), now()))) return false;
  const tokens = await exchange.refresh(refreshToken).catch(async (error: unknown) => {
    await installations.postponeRefresh(install, inMs(TRY_AGAIN_MS)).catch(() => undefined);
    throw error;
  });
  await save(installations, install, tokens);
  return true;
}

async function save(installations: InstallationStore, install: Installation, tokens: BotTokens) {
  for (const pause of SAVE_AGAIN_MS) {
    try {
      return await installations.saveTokens(install, tokens);
    } catch {
      await sleep(pause);
    }
  }
  return installations.saveTokens(install, tokens);
}
