import type { Config } from '../../config/config.ts';
import type { Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import { slackEventsRoute } from './http-route.ts';
import type { Intake } from './intake.ts';
import { createRefusals } from './refusals.ts';

/** How deliveries reach the app. Both transports feed the same intake. */
export type Transport = {
  /** For the app's HTTP server; empty in Socket Mode. */
  routes: Routes;
  start(): Promise<void>;
  stop(): Promise<void>;
  isReady(): boolean;
};

export async function createTransport(
  deps: Config['slack'] & {
    intake: Intake;
    metrics: Pick<SlackMetrics, 'refused'>;
    now: () => Date;
    log: Log;
  },
): Promise<Transport> {
  const { transport, apiUrl, intake, metrics, now, log } = deps;
  if (transport.mode === 'socket') {
    // Its client brings undici, a quarter of all code.
    const { createSocketConnection } = await import('./socket-connection.ts');
    const socket = createSocketConnection({ appToken: transport.appToken, apiUrl, intake, log });
    return { ...socket, routes: {}, isReady: socket.isConnected };
  }
  const { signingSecret } = transport;
  const refusals = createRefusals({ count: metrics.refused, now, log });
  return {
    routes: { 'POST /slack/events': slackEventsRoute({ intake, signingSecret, refusals, now }) },
    start: async () => undefined,
    stop: async () => undefined,
    isReady: () => true,
  };
}
