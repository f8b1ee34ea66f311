import type { Config } from '../../config/config.ts';
import type { Routes } from '../../ops/http-server.ts';
import type { Log } from '../../ops/logging.ts';
import type { SlackMetrics } from '../../ops/metrics/slack-metrics.ts';
import { slackEventsRoute } from './http.ts';
import type { Intake } from './intake.ts';
import { createSocketConnection } from './socket-connection.ts';

/** How deliveries reach the app. Both transports feed the same intake. */
type Transport = {
  /** For the app's HTTP server; empty in Socket Mode. */
  routes: Routes;
  start(): Promise<void>;
  stop(): Promise<void>;
  isReady(): boolean;
};

export function createTransport(
  deps: Pick<Config['slack'], 'transport' | 'apiUrl'> & {
    intake: Pick<Intake, 'receive'>;
    metrics: Pick<SlackMetrics, 'refused'>;
    now: () => Date;
    log: Log;
  },
): Transport {
  const { transport, apiUrl, intake, log } = deps;
  if (transport.mode === 'socket') {
    const socket = createSocketConnection({ appToken: transport.appToken, apiUrl, intake, log });
    return { ...socket, routes: {}, isReady: socket.isConnected };
  }
  const { signingSecret } = transport;
  return {
    routes: { 'POST /slack/events': slackEventsRoute({ ...deps, signingSecret }) },
    start: async () => undefined,
    stop: async () => undefined,
    isReady: () => true,
  };
}
