import { request } from 'node:http';
import { onTestFinished } from 'vitest';
import { populate } from '../../pages/populate.ts';
import { type Pages, startPages } from '../../pages/server.ts';
import { openStage, type Stage } from '../../stage.ts';

export type Served = Stage & { pages: Pages };

/** The pages for a stage without an app; the browser's files are not bundled. */
export async function servePages(): Promise<Served> {
  const stage = await openStage();
  populate(stage);
  const index = { body: '<title>Pages</title>', type: 'text/html' };
  const files = Promise.resolve(new Map([['/index.html', index]]));
  const pages = await startPages(stage, { port: 0, files });
  onTestFinished(async () => {
    await pages.close();
    await stage.close();
  });
  return { ...stage, pages };
}

export type Answer = {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** Sends exactly these headers, as a browser or another program would. */
export function ask(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options;
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    call.on('error', reject);
    call.end(body);
  });
}

/** Sends an action as a page does. */
export async function act(
  { pages }: Pick<Served, 'pages'>,
  page: string,
  body: unknown,
): Promise<Answer & { json: Record<string, unknown> }> {
  const answer = await ask(`${pages.url}/act/${page}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: pages.url },
    body: JSON.stringify(body),
  });
  return { ...answer, json: JSON.parse(answer.body) };
}
