import { createHash, randomBytes } from 'node:crypto';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import type { EncryptionKey } from '../../src/config/keyring.ts';
import { createFileLinks } from '../../src/files/file-links.ts';
import { fileRoutes } from '../../src/files/file-routes.ts';
import { createHttpServer } from '../../src/ops/http-server.ts';
import type { AttachedFile } from '../../src/requests/request.ts';
import { slackClientOptions } from '../../src/slack/client/slack-client.ts';
import { createSlackFiles } from '../../src/slack/request-form/slack-files.ts';
import { NotInstalledError } from '../../src/slack/workspaces/workspaces.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { startSlack } from '../stand-ins/slack/server.ts';
import { bytesOf, type FileOptions, type StoredFile } from '../stand-ins/slack/state/files.ts';
import { manifest } from '../stand-ins/slack/tests/manifest.ts';
import type { Workspace } from '../stand-ins/slack/workspace.ts';
import { FORM, newRequest } from '../store/request-suite.ts';
import { openSqliteStores } from '../store/sqlite-files.ts';
import { logTo } from '../store/stores-under-test.ts';

const PUBLIC_URL = 'https://requests.example.com';
const MAX_BYTES = 100_000_000;
const START = Date.parse('2026-03-02T09:00:00Z');
/** The route for files, over HTTP, between the stand-in Slack and a store with requests. */
export async function filesUnderTest() {
  const clock = { now: new Date(START) };
  const logLines: string[] = [];
  const lost: string[] = [];
  const log = logTo(logLines);
  const slack = await startSlack({ manifest: manifest(), clock: () => clock.now });
  onTestFinished(() => slack.close());
  const { stores } = await openSqliteStores();
  const acme = slack.addWorkspace({ name: 'Acme' });
  const globex = slack.addWorkspace({ name: 'Globex' });
  const ann = acme.addUser({ name: 'Ann' });
  const known = [acme, globex];
  const has = async (id: string) => known.some((one) => one.id === id && one.installed);

  const clients = {
    async of(id: string) {
      const workspace = known.find((one) => one.id === id);
      if (!workspace?.installed) throw new NotInstalledError(undefined);
      return new WebClient(workspace.botToken, slackClientOptions({ apiUrl: slack.apiUrl, log }));
    },
  };
  const keys: EncryptionKey[] = [{ id: 'k1', key: new Uint8Array(randomBytes(32)) }];
  const links = createFileLinks({ keys, publicUrl: PUBLIC_URL, now: () => clock.now });
  const source = createSlackFiles({
    clients,
    apiUrl: slack.apiUrl,
    maxBytes: MAX_BYTES,
    now: () => clock.now,
    log,
  });
  const server = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    log,
    routes: fileRoutes({
      links,
      source,
      requests: stores.requests,
      log,
      onLost: async ({ fileId }, problem) => lost.push(`${fileId} ${problem}`),
      has,
      now: () => clock.now,
    }),
  });
  const appUrl = await server.listen();
  onTestFinished(() => server.close());

  /** A request of a workspace with these files. @returns its ID */
  async function request(files: readonly AttachedFile[], workspace: Workspace = acme) {
    const id = `form-${randomBytes(4).toString('hex')}`;
    const form = { ...FORM, referenceFiles: [...files] };
    const workspaceId = workspaceNamed(workspace.id);
    await stores.requests.add(newRequest(id, { form, workspaceId }), clock.now);
    return id;
  }

  const urlOf = (file: StoredFile, requestId: string, workspace: Workspace = acme) => {
    const ref = { workspaceId: workspaceNamed(workspace.id), requestId, fileId: file.id };
    return links.urlOf(ref, file.name).replace(PUBLIC_URL, appUrl);
  };

  return {
    slack,
    acme,
    globex,
    ann,
    clock,
    logLines,
    lost,
    appUrl,
    request,
    urlOf,
    maxBytes: MAX_BYTES,
    /** Changes the state of a request of Acme. */
    async become(state: 'created' | 'discarded', id: string) {
      const request = { workspaceId: workspaceNamed(acme.id), id };
      await stores.requests.changeState(request, ['queued'], state, {}, clock.now);
    },
    /** Slack is asked about a file at most once a minute. */
    aMinuteLater() {
      clock.now = new Date(clock.now.getTime() + 60_001);
    },
    addWorkspace(name: string) {
      const workspace = slack.addWorkspace({ name });
      known.push(workspace);
      return workspace;
    },
    /** A file in Slack, attached to a request. */
    async attached(options: Partial<FileOptions> = {}, workspace: Workspace = acme) {
      const by = workspace === acme ? ann : workspace.addUser({ name: 'Bob' });
      const named = { name: 'Logo.svg', mimetype: 'image/svg+xml', ...options };
      const file = workspace.addFile(by, named);
      const requestId = await request([file], workspace);
      return { file, requestId, url: urlOf(file, requestId, workspace) };
    },
    downloads: () => slack.apiCalls.filter(({ method }) => method === 'file_download'),
  };
}

export const digestOf = (content: Iterable<Uint8Array>): string => {
  const hash = createHash('sha256');
  for (const piece of content) hash.update(piece);
  return hash.digest('hex');
};

export const contentOf = (file: StoredFile): Buffer => Buffer.concat([...bytesOf(file)]);
