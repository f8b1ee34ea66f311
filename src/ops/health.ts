import { type Routes, send } from './http-server.ts';

/**
 * `GET /healthz` answers 200 while the process is alive. `GET /readyz` answers 200 if every check passes,
 * otherwise 503, with the result of each. A check fails if it rejects or resolves to false.
 */
export function healthRoutes(checks: Record<string, () => Promise<boolean>>): Routes {
  return {
    'GET /healthz': async (_request, response) => send(response, 200, { ok: true }),
    'GET /readyz': async (_request, response) => {
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const passed = await check().catch(() => false);
          return [name, passed ? 'ok' : 'failed'] as const;
        }),
      );
      const ready = results.every(([, result]) => result === 'ok');
      send(response, ready ? 200 : 503, { ready, ...Object.fromEntries(results) });
    },
  };
}
