import { once } from 'node:events';
import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from '../../src/ops/http-server.ts';
import { createLog } from '../../src/ops/logging.ts';
import { createMetrics } from '../../src/ops/metrics/metrics.ts';
import { metricsRoute } from '../../src/ops/metrics/metrics-route.ts';

async function serve({ token }: { token?: string } = {}) {
  const metrics = createMetrics();
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    routes: metricsRoute({ metrics, token }),
    log: createLog({ level: 'silent' }),
  });
  onTestFinished(() => server.close());
  const url = await server.listen();
  const ask = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/metrics`, { headers });
    return { status: response.status, text: await response.text() };
  };
  return { metrics, ask, url };
}

describe('/metrics', () => {
  it('says what the keys have left, how many calls wait, and which breakers are open', async () => {
    const { metrics, ask } = await serve();
    const waiting = (callClass: string) => (callClass === 'person' ? 2 : 0);
    let keys = [{ fingerprint: 'f1', left: 42, waiting, isBreakerOpen: true }];
    metrics.keys(() => keys);
    const { status, text } = await ask();
    expect(status).toBe(200);
    const lines = text.split('\n');
    expect(lines).toContain('design_request_budget_left_calls{key="f1"} 42');
    expect(lines).toContain('design_request_waiting_calls{class="person"} 2');
    expect(lines).toContain('design_request_open_breakers 1');
    keys = [];
    expect((await ask()).text).not.toContain('key="f1"');
  });

  it('has few series, however many error codes Slack may answer', async () => {
    const { metrics, ask } = await serve();
    for (let code = 0; code < 500; code += 1) {
      metrics.called('chat.unfurl', 0.1, `code_${code}`);
      metrics.called('chat.unfurl', 0.1, `Not a code ${code}`);
    }
    metrics.called('chat.unfurl', 0.1, 'code_0');
    const { text } = await ask();
    const counts = text.match(/^design_request_slack_errors_total\{.*$/gm) ?? [];
    expect(counts).toHaveLength(101);
    const errors = 'design_request_slack_errors_total{method="chat.unfurl",code=';
    expect(counts).toContain(`${errors}"code_0"} 2`);
    expect(counts).toContain(`${errors}"other"} 900`);
  });

  it('is only available locally without a token, even behind a proxy on the same machine', async () => {
    const { ask } = await serve();
    expect((await ask()).status).toBe(200);
    expect((await ask({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(403);
    expect((await ask({ forwarded: 'for=203.0.113.7' })).status).toBe(403);
  });

  it('answers only to this machine’s own names without a token', async () => {
    const { url } = await serve();
    const asked = async (host: string) => {
      const answer = await once(get(`${url}/metrics`, { headers: { host } }), 'response');
      const { statusCode } = answer[0].resume();
      return statusCode;
    };
    for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:80', '[::1]:3000']) {
      expect(await asked(host), host).toBe(200);
    }
    for (const host of [
      'app.example.com',
      'localhost.example.com',
      '127.0.0.1.example.com',
      'a b',
      '10.0.0.1',
    ]) {
      expect(await asked(host), host).toBe(403);
    }
  });

  it('is available to anyone with the token if one is set', async () => {
    const { ask } = await serve({ token: 'a-long-secret' });
    expect((await ask()).status).toBe(401);
    expect((await ask({ authorization: 'Bearer a-long-secreT' })).status).toBe(401);
    expect((await ask({ authorization: 'Bearer a-long-secret' })).status).toBe(200);
  });
});
