import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type MarkedCall = { mark: string; method: string; path: string; body: string };

/** Puts the caller's mark into every text: what one key may read differs, although IDs and names are the same. */
export type MarkingService = Awaited<ReturnType<typeof startMarkingService>>;

const LOOPBACK = '127.0.0.1';
const KEY = /^key-(mark[A-Z]+)-\d+$/;

/** A key whose mark is `mark` followed by these letters in capitals. */
export const keyMarked = (letters: string): string => `key-mark${letters}-0123456789`;

export const marksIn = (value: unknown): string[] => [
  ...new Set(JSON.stringify(value)?.match(/mark[A-Z]+/g) ?? []),
];

export async function startMarkingService() {
  const calls: MarkedCall[] = [];
  let created = 0;

  function dataFor(method: string, path: string, mark: string): unknown {
    const [, resource = '', id = ''] = path.split('/');
    if (method === 'POST') {
      created += 1;
      return { id: `made-${created}` };
    }
    if (resource === 'card') return cardOf(decodeURIComponent(id), mark);
    if (resource === 'card-types') return [typeOf(mark)];
    const named = { id: `${resource}-1`, name: `${resource} of ${mark}` };
    return id === '' ? [named] : named;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = '', url: path = '' } = request;
    const mark = KEY.exec(String(request.headers['x-api-key']))?.[1];
    response.setHeader('content-type', 'application/json');
    if (mark === undefined) {
      response.writeHead(401).end('{"status":false,"message":"No.","error":"e","statusCode":401}');
      return;
    }
    calls.push({ mark, method, path, body: Buffer.concat(chunks).toString() });
    response.end(JSON.stringify({ data: dataFor(method, path, mark), status: true }));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, LOOPBACK);
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address !== 'string' ? address.port : 0;
  return {
    url: `http://${LOOPBACK}:${port}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const typeOf = (mark: string) => ({
  id: 'type-1',
  name: `Type of ${mark}`,
  products: ['Graphics'],
  formats: ['PNG'],
  softwares: ['Figma'],
});

/** api.md 2.2 */
const cardOf = (id: string, mark: string) => ({
  id,
  title: `Card ${id} of ${mark}`,
  description: `<p>Only for ${mark}</p>`,
  request_type: null,
  product_type: 'Graphics',
  dimensions: '1 × 1',
  created_by: null,
  labels: '',
  tags: mark,
  text_copy: '',
  file_formats: 'PNG',
  software: 'Figma',
  status: { id: 's1', name: `Status of ${mark}`, color: '#336699' },
  due_date: null,
  created_at: '01-Mar-2026 09:00 AM',
  updated_at: '02-Mar-2026 09:00 AM',
  files: [],
  brand: null,
});
