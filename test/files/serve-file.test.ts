import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sendContent } from '../../src/files/serve-file.ts';
import type { ReadyFile } from '../../src/slack/request-form/file-info.ts';

const FILE: ReadyFile = {
  ...{ id: 'F1', name: 'Logo.svg', type: 'image/svg+xml', bytes: 10, version: '1' },
  url: 'https://files.slack.com/F1',
};

/** Serves a body as a file of ten bytes. */
async function serving(body: Readable) {
  const failed = Promise.withResolvers<Error>();
  const server = createServer((_request, response) => {
    const content = { kind: 'content' as const, body, range: undefined };
    sendContent(response, FILE, content, new AbortController().signal).catch((error) => {
      response.destroy();
      failed.resolve(error);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, failed: failed.promise };
}

describe('the content of a file', () => {
  it.each([
    ['less', ['12345', '6789']],
    ['more', ['12345', '678901']],
  ])('is cut if Slack sends %s than it announced', async (much, pieces) => {
    const { url, failed } = await serving(Readable.from(pieces.map((piece) => Buffer.from(piece))));
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
    expect((await failed).message).toBe(`Slack sent ${much} than it announced`);
  });

  it('is cut if nothing came for a minute', async () => {
    const body = new PassThrough();
    const { url, failed } = await serving(body);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    body.write('123');
    const reader = (await fetch(url)).body?.getReader();
    await reader?.read();
    await vi.advanceTimersByTimeAsync(59_000);
    body.write('45');
    await reader?.read();
    await vi.advanceTimersByTimeAsync(59_000);
    body.write('6');
    await reader?.read();
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(reader?.read()).rejects.toThrow();
    await failed;
  });
});
