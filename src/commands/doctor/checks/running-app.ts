import { Agent } from 'node:http';
import { z } from 'zod';
import { describePortHolder } from '../../../ops/port-holder.ts';
import { httpFetch } from '../../../slack/client/http-fetch.ts';
import { NOT_HTTP, reasonOf } from '../../ask-slack.ts';
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
      const url = new URL(`http://${host}:${server.port}/readyz`);
      // Not through the proxy: this is the same machine.
      const response = await httpFetch(url, { agent: new Agent() }, { timeoutMs: TIMEOUT_MS });
      const parsed = readiness.safeParse(await response.json().catch(() => undefined));
      if (!parsed.success) return otherProgram(server.port);
      const { ready, ...checks } = parsed.data;
      if (ready) return passed('ready');
      const names = Object.keys(checks).filter((name) => checks[name] !== 'ok');
      return failed(
        `The running app isn't ready: ${names.join(', ')}.`,
        'Its log says why, in lines of level warn or error.',
      );
    } catch (error) {
      const reason = reasonOf(error);
      if (OF_OTHERS.includes(reason)) return otherProgram(server.port);
      return skipped(`the app doesn't run on this machine (${reason})`);
    }
  },
};

/** Why a request failed although something accepted the connection. */
const OF_OTHERS = [NOT_HTTP, 'ECONNRESET'];

const otherProgram = (port: number) =>
  failed(
    `Another program answers on PORT. ${describePortHolder(port)}`,
    'Stop it, or set PORT to a free port.',
  );
