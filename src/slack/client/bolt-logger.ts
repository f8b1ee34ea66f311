import type { Logger } from '@slack/bolt';
import { LogLevel } from '@slack/web-api';
import type { Log } from '../../ops/logging.ts';

/**
 * Passes what Slack's libraries log on to the app's own log. Their debug lines hold whole payloads,
 * so nothing below `info` is passed on, and `getLevel` keeps them from making such lines at all.
 */
export function boltLogger(log: Log): Logger {
  const words = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts) => log.debug({ from: 'slack' }, words(parts)),
    warn: (...parts) => log.warn({ from: 'slack' }, words(parts)),
    error: (...parts) => log.error({ from: 'slack' }, words(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
