import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerId } from '../../installations/workspace-id.ts';
import type { BotTokens } from '../../store/bot-tokens.ts';
import type { Installation, InstallationStore } from '../../store/installations.ts';
import { outcomeOfCall } from '../client/errors.ts';
import type { TokenExchange } from './token-exchange.ts';
import { TokenMismatchError } from './whose-token.ts';

/**
 * Whoever exchanges holds the right to it for so long, and says so again every second. A process that died
 * is silent, and the next one must come soon: Slack takes a used refresh token again for a short time; in ms.
 */
export const HELD_MS = 3_000;
const SAY_AGAIN_MS = 1_000;
/** After an exchange that failed, in ms; the token works meanwhile. */
const TRY_AGAIN_MS = 30_000;
/** The new tokens exist nowhere else, so keeping them is tried often; pauses between tries in ms. */
const SAVE_AGAIN_MS = [50, 100, 200, 400, 800, 1_600];

/** How often an exchange without an answer is tried, and the pause between, in ms. */
const MOST_TRIES = 3;
const ASK_AGAIN_MS = 500;

type RenewDeps = {
  installations: InstallationStore;
  exchange: Pick<TokenExchange, 'refresh'>;
  now: () => Date;
};

/**
 * Exchanges an install's refresh token for new tokens and keeps them. Of all who try, on any replica, one
 * does it.
 *
 * @returns false where somebody else does it, has done it, or has just failed to
 * @throws Slack's or the database's error; the tokens that there were stay
 */
export async function renewToken(deps: RenewDeps, install: Installation): Promise<boolean> {
  const { installations, now } = deps;
  const { refreshToken } = install;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  if (refreshToken === undefined) return false;
  if (!(await installations.claimRefresh(install, inMs(HELD_MS), now()))) return false;
  const hold = () => installations.postponeRefresh(install, inMs(HELD_MS)).catch(() => undefined);
  const holding = setInterval(hold, SAY_AGAIN_MS);
  const tokens = await exchangeInTime(deps, refreshToken, install.id).catch(
    async (error: unknown) => {
      clearInterval(holding);
      await installations.postponeRefresh(install, inMs(TRY_AGAIN_MS)).catch(() => undefined);
      throw error;
    },
  );
  clearInterval(holding);
  await save(installations, install, tokens);
  return true;
}

/**
 * Where no answer came, Slack may have used the refresh token up, and takes it again for a short time
 * only: so that is asked again at once.
 */
async function exchangeInTime(
  { exchange }: RenewDeps,
  refreshToken: string,
  id: OwnerId,
): Promise<BotTokens> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await exchange.refresh(refreshToken, id);
    } catch (error) {
      const isFinal = error instanceof TokenMismatchError || outcomeOfCall(error) !== 'unknown';
      if (isFinal || tries === MOST_TRIES) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
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
