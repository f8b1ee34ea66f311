import { once } from 'node:events';
import { createServer, get, type IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../service/local-server.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { contentOf, digestOf, filesUnderTest } from './files-under-test.ts';

const MB = 1_000_000;

describe('a link to a file', () => {
  it('gives the whole file with its type and name, and nothing that a browser could run', async () => {
    const { attached } = await filesUnderTest();
    const { file, url } = await attached({ size: 300_000 });
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(digestOf([Buffer.from(await response.arrayBuffer())])).toBe(digestOf([contentOf(file)]));
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-length': '300000',
      'content-disposition': 'attachment; filename=Logo.svg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cache-control': 'private, no-store',
    });
  });

  it('names the file so that it can be saved anywhere', async () => {
    const { attached } = await filesUnderTest();
    const names: [string, RegExp][] = [
      ['my "logo".svg', /^attachment; filename="my \\"logo\\"\.svg"$/],
      ['Größe.svg', /filename\*=UTF-8''Gr%C3%B6%C3%9Fe\.svg|filename="Gr\u00f6\u00dfe\.svg"/],
      ['日本語.png', /filename\*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E\.png$/],
      ['a\r\nx-evil: 1.png', /^attachment; filename="a x-evil: 1.png"$/],
      ['../../etc/passwd', /^attachment; filename=passwd$/],
      ['C:\\Windows\\win.ini', /^attachment; filename=win\.ini$/],
      ['/etc/', /^attachment; filename=file$/],
      ['. .', /^attachment; filename=file$/],
      ['.bashrc', /^attachment; filename=bashrc$/],
      ['a\u0000b\u007f\u0085.png', /^attachment; filename=ab\.png$/],
      ['gnp.\u202eevil.exe', /^attachment; filename=gnp\.evil\.exe$/],
      [`${'x'.repeat(400)}.png`, /^attachment; filename=x{196}\.png$/],
    ];
    for (const [name, expected] of names) {
      const { url } = await attached({ name });
      const { headers } = await fetch(url);
      expect(headers.get('content-disposition'), name).toMatch(expected);
      expect(headers.get('x-evil')).toBeNull();
    }
  });

  it('says what is there without sending it', async () => {
    const { attached, downloads } = await filesUnderTest();
    const { url } = await attached({ size: 4_000 });
    const response = await fetch(url, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('4000');
    expect(downloads()).toEqual([]);
  });
});

describe('everything else gets the same 404', () => {
  const NOT_FOUND = '{"error":"not_found"}';

  async function expectNothing(url: string, downloads: () => unknown[], init: RequestInit = {}) {
    const before = downloads().length;
    const response = await fetch(url, init);
    expect([url, response.status]).toEqual([url, 404]);
    expect(await response.text()).toBe(NOT_FOUND);
    expect([...response.headers.keys()].toSorted()).toEqual(
      ['connection', 'content-length', 'content-type', 'date', 'keep-alive'].toSorted(),
    );
    expect(downloads()).toHaveLength(before);
  }

  it('if the link is guessed, changed, or has expired', async () => {
    const { attached, appUrl, downloads, clock } = await filesUnderTest();
    const { url, file } = await attached();
    for (const guess of [
      `${appUrl}/files/`,
      `${appUrl}/files/${file.id}`,
      `${appUrl}/files/a.b/c`,
      `${url.slice(0, -1)}`,
      url.replace('/files/', '/files/A'),
      url.replace('Logo.svg', 'Logo.exe'),
    ]) {
      await expectNothing(guess, downloads);
    }
    await expectNothing(url, downloads, { method: 'POST' });
    clock.now = new Date(clock.now.getTime() + 8 * 24 * 60 * 60_000);
    await expectNothing(url, downloads);
  });

  it('if it is for another workspace, another request, or a file that the request doesn’t have', async () => {
    const { attached, downloads, request, urlOf, globex, acme, ann } = await filesUnderTest();
    const { file, requestId } = await attached();
    const other = acme.addFile(ann, { name: 'other.png' });
    const theirs = await request([file], globex);
    // Even if each were signed.
    await expectNothing(urlOf(other, requestId), downloads);
    await expectNothing(urlOf(file, theirs), downloads);
    await expectNothing(urlOf(file, requestId, globex), downloads);
    // A request of Globex that names a file of Acme.
    await expectNothing(urlOf(file, theirs, globex), downloads);
  });

  it('once the file is deleted, hidden from the app, too large, or elsewhere', async () => {
    const { attached, aMinuteLater, downloads, maxBytes } = await filesUnderTest();
    const { file, url } = await attached();
    file.status = 'deleted';
    await expectNothing(url, downloads);
    aMinuteLater();
    file.status = 'ready';
    file.sharedWithApp = false;
    await expectNothing(url, downloads);
    aMinuteLater();
    file.sharedWithApp = true;
    file.size = maxBytes + 1;
    await expectNothing(url, downloads);
    aMinuteLater();
    file.size = 10;
    file.external = 'https://docs.example.com/1';
    await expectNothing(url, downloads);
  });

  it('and its author is told if the request was sent, but not before', async () => {
    const { attached, aMinuteLater, become, lost } = await filesUnderTest();
    const { file, url, requestId } = await attached();
    file.status = 'deleted';
    await fetch(url);
    expect(lost).toEqual([]);
    await become('created', requestId);
    await fetch(url);
    aMinuteLater();
    file.status = 'uploading';
    await fetch(url);
    expect(lost).toEqual([`${file.id} deleted`]);
  });

  it('and its author is told what became of it since Slack was asked about it', async () => {
    const { attached, become, lost } = await filesUnderTest();
    const { file, url, requestId } = await attached();
    await become('created', requestId);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    file.status = 'deleted';
    expect((await fetch(url)).status).toBe(404);
    expect(lost).toEqual([`${file.id} deleted`]);
  });

  it('once the request is discarded or deleted, or the app is uninstalled', async () => {
    const { attached, become, downloads, acme } = await filesUnderTest();
    const { url, requestId } = await attached();
    acme.uninstall();
    await expectNothing(url, downloads);
    acme.install();
    expect((await fetch(url)).status).toBe(200);
    await become('discarded', requestId);
    await expectNothing(url, downloads);
  });
});

const stopTheClock = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
};

/** Node's own timer tells when a connection was silent. @returns what it calls then for the newest answer */
function silence() {
  const spy = vi.spyOn(ServerResponse.prototype, 'setTimeout').mockReturnThis();
  onTestFinished(() => spy.mockRestore());
  return () => {
    const [ms, onSilence] = spy.mock.lastCall ?? [];
    expect(ms).toBe(30_000);
    onSilence?.();
  };
}

/** A download whose client reads nothing after the first bytes. */
async function stuckDownload(url: string) {
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  response.pause().on('error', () => undefined);
  onTestFinished(() => void response.destroy());
  return response;
}

describe('a download', () => {
  it('is never followed to a host that isn’t Slack’s, and the token stays here', async () => {
    const { attached, slack, logLines } = await filesUnderTest();
    const { url, file } = await attached();
    const heard: string[] = [];
    const canary = createServer((request, response) => {
      heard.push(request.headers.authorization ?? '');
      response.end('x');
    });
    const port = await listen(canary);
    const elsewhere = {
      id: file.id,
      name: 'a',
      mimetype: 'image/png',
      size: 1_234,
      mode: 'hosted',
      timestamp: 1,
      url_private_download: `http://127.0.0.1:${port}/x`,
    };
    const changes = { file: elsewhere };
    slack.faults.add({ kind: 'altered_answer', method: 'files.info', times: 1, changes });
    expect((await fetch(url)).status).toBe(404);
    expect(heard).toEqual([]);
    expect(logLines.join()).toContain('outside Slack');
    canary.close();
  });

  it('is retried later while the file is uploading, and when Slack has trouble', async () => {
    const { attached, aMinuteLater, slack } = await filesUnderTest();
    const { url, file } = await attached();
    file.status = 'uploading';
    const uploading = await fetch(url);
    expect([uploading.status, uploading.headers.get('retry-after')]).toEqual([503, '15']);
    file.status = 'ready';
    for (const fault of [
      { kind: 'http', status: 502, method: 'file_download' },
      { kind: 'drop', method: 'file_download' },
      { kind: 'rate_limited', retryAfter: 30, method: 'file_download' },
      { kind: 'http', status: 500, method: 'files.info' },
      { kind: 'rate_limited', retryAfter: 30, method: 'files.info' },
    ] as const) {
      aMinuteLater();
      slack.faults.add({ times: 1, ...fault });
      expect([fault, (await fetch(url)).status]).toEqual([fault, 503]);
    }
    expect((await fetch(url)).status).toBe(200);
  });

  it('is cut, so that the client notices, if Slack cuts it', async () => {
    const { attached, slack } = await filesUnderTest();
    const { url } = await attached({ size: 400_000 });
    slack.faults.add({ kind: 'cut_after', bytes: 150_000, method: 'file_download', times: 1 });
    const response = await fetch(url);
    await expect(response.arrayBuffer()).rejects.toThrow();
  });

  it('ends if either side is silent for half a minute', async () => {
    const isSilent = silence();
    const { attached, downloads, slack } = await filesUnderTest();
    slack.faults.add({ kind: 'hang', method: 'file_download', times: 1 });
    const answer = fetch((await attached()).url);
    await slack.until(() => downloads()[0], 'the call');
    isSilent();
    expect((await answer).status).toBe(503);
    const response = await stuckDownload((await attached({ size: 100 * MB })).url);
    const ended = once(response, 'end');
    isSilent();
    response.resume();
    await expect(ended).rejects.toThrow('aborted');
  });

  it('asks Slack about its file once a minute, however often it is read', async () => {
    const { attached, aMinuteLater, slack } = await filesUnderTest();
    const { url } = await attached();
    const asked = () => slack.apiCalls.filter(({ method }) => method === 'files.info').length;
    await Promise.all([fetch(url), fetch(url), fetch(url, { method: 'HEAD' })]);
    expect(asked()).toBe(1);
    aMinuteLater();
    await fetch(url, { method: 'HEAD' });
    expect(asked()).toBe(2);
  });

  it('isn’t opened for a client that left while Slack was asked about the file', async () => {
    const { attached, downloads, slack } = await filesUnderTest();
    const { url } = await attached();
    slack.faults.add({ kind: 'stall', ms: 300, method: 'files.info', times: 1 });
    const request = get(url).on('error', () => undefined);
    const isAsked = () => slack.apiCalls.find(({ method }) => method === 'files.info');
    await slack.until(isAsked, 'the question');
    request.destroy();
    await slack.until(() => isAsked()?.response, 'its answer');
    await sleep(50);
    expect(downloads()).toEqual([]);
  });

  it('begins although other workspaces hold all slots and read nothing', async () => {
    const { attached, addWorkspace, acme, globex, downloads } = await filesUnderTest();
    const stuck = async (count: number, workspace: Workspace) => {
      const { url } = await attached({ size: 100 * MB }, workspace);
      for (let at = 0; at < count; at += 1) await stuckDownload(url);
    };
    stopTheClock();
    await stuck(6, acme);
    await stuck(4, globex);
    await stuck(2, addWorkspace('Initech'));
    const { url, file } = await attached({}, addWorkspace('Umbrella'));
    const answer = fetch(url);
    for (let waited = 0; waited < 20 && downloads().length === 12; waited += 5) {
      // Until what was buffered on the way is full.
      await sleep(100);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    const response = await answer;
    expect(response.status).toBe(200);
    expect(digestOf([Buffer.from(await response.arrayBuffer())])).toBe(digestOf([contentOf(file)]));
  });

  it('may be as slow as it is while only its own workspace waits', async () => {
    const { attached, logLines } = await filesUnderTest();
    const { url } = await attached({ size: 100 * MB });
    stopTheClock();
    await Promise.all(Array.from({ length: 6 }, () => stuckDownload(url)));
    const seventh = fetch(url);
    for (let waited = 0; waited < 20; waited += 5) {
      // Until what was buffered on the way is full.
      await sleep(100);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect((await seventh).status).toBe(503);
    expect(logLines.join()).not.toContain('too_slow');
  });

  it.each(['the app is uninstalled', 'its request is discarded'] as const)(
    'ends when %s',
    async (why) => {
      const { attached, become, acme, logLines } = await filesUnderTest();
      const { url, requestId } = await attached({ size: 100 * MB });
      stopTheClock();
      const response = await stuckDownload(url);
      if (why === 'the app is uninstalled') acme.uninstall();
      else await become('discarded', requestId);
      await vi.advanceTimersByTimeAsync(5_000);
      await expect.poll(() => logLines.join()).toContain('no_longer_allowed');
      await expect(once(response.resume(), 'end')).rejects.toThrow('aborted');
    },
  );

  it('reads from Slack no faster than its client reads, and ends with it', async () => {
    const { attached, downloads } = await filesUnderTest();
    const { url } = await attached({ size: 100 * MB });
    const request = get(url);
    const [response] = await once(request, 'response');
    response.pause();
    const sent = () => Number(downloads()[0]?.response?.bytes ?? 0);
    await expect.poll(sent).toBeGreaterThan(0);
    let before = -1;
    // Until the buffers on the way are full.
    while (sent() !== before) {
      before = sent();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(before).toBeLessThan(60 * MB);
    request.destroy();
    await expect.poll(() => downloads()[0]?.ms === undefined).toBe(true);
    expect(sent()).toBeLessThan(60 * MB);
  });

  it('logs neither its link nor the file’s name or address', async () => {
    const { attached, slack, logLines } = await filesUnderTest();
    const { url } = await attached({ name: 'Secret-plan.pdf', size: 300_000 });
    await fetch(url).then((response) => response.arrayBuffer());
    for (const kind of ['drop', 'hang'] as const) {
      slack.faults.add({ kind, method: 'file_download', times: 1 });
      await fetch(url, { signal: AbortSignal.timeout(500) }).catch(() => undefined);
    }
    slack.faults.add({ kind: 'cut_after', bytes: 10, method: 'file_download', times: 1 });
    await fetch(url)
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
    await expect.poll(() => logLines.join()).toContain('or not all of it');
    const lines = logLines.join('\n');
    expect(lines).not.toMatch(/Secret-plan|files-pri|xoxb-/);
    expect(lines).not.toContain(new URL(url).pathname.split('/')[2]);
  });
});
