import { z } from 'zod';
import { describePortHolder } from '../../../ops/port-holder.ts';
import { reasonOf } from '../../ask-slack.ts';
import { type Check, failed, passed, skipped } from '../check.ts';

const readiness = z.looseObject({ ready: z.boolean() });
const TIMEOUT_MS = 3_000;

export const runningApp: Check = {
  name: 'running-app',
  category: 'runtime',
  about: 'If the app runs, it is ready: its database, Slack, and the socket of Socket Mode.',
  needs: 'settings',
  async run({ config: { server } }) {
    const host = server.host === '0.0.0.0' || server.host === '::' ? '127.0.0.1' : server.host;
    try {
      const response = await fetch(`http://${host}:${server.port}/readyz`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const parsed = readiness.safeParse(await response.json().catch(() => undefined));
      if (!parsed.success) {
        return failed(
          `Another program answers on PORT. ${describePortHolder(server.port)}`,
          'Stop it, or set PORT to a free port.',
        );
      }
      const { ready, ...checks } = parsed.data;
      if (ready) return passed('ready');
      const names = Object.keys(checks).filter((name) => checks[name] !== 'ok');
      return failed(
        `The running app isn't ready: ${names.join(', ')}.`,
        'Its log says why, in lines of level warn or error.',
      );
    } catch (error) {
      return skipped(`the app doesn't run on this machine (${reasonOf(error)})`);
    }
  },
};
