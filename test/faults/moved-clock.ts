import type { AppProcess } from './app-process.ts';
import type { Setting } from './setting.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** After that, posting this link wakes the app's queue without reading a card. */
export const NO_CARD = 'https://app.example.com/brand/1';

/** Shifts the clocks of the app and both stand-ins from the real one, in ms. */
export async function moveClocks(setting: Setting, app: AppProcess, offsetMs: number) {
  setting.clock.offsetMs = offsetMs;
  await app.setClockOffset(offsetMs);
}
