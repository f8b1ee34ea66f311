import type { Logger } from '@slack/bolt';
import { LogLevel } from '@slack/web-api';
import type { Log } from '../../ops/logging.ts';

/**
 * Logger for Slack's libraries. Their debug lines contain whole payloads, so only `info` and above
 * is passed on, and `getLevel` stops them from even building such lines.
 */
export function boltLogger(log: Log): Logger {
  const join = (parts: unknown[]) => parts.map(String).join(' ');
  return {
    debug: () => undefined,
    info: (...parts) => log.debug({ from: 'slack' }, join(parts)),
    warn: (...parts) => log.warn({ from: 'slack' }, join(parts)),
    error: (...parts) => log.error({ from: 'slack' }, join(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
