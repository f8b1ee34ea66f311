import { createHash } from 'node:crypto';
import type { CardFile } from './resources.ts';

type Download = {
  cardId: string;
  url: string;
  at: Date;
  /** Undefined if there was no answer. */
  status: number | undefined;
  headers: Record<string, string>;
  bytes: number;
  /** Of the whole file, in hexadecimal; only if all of it came. */
  sha256: string | undefined;
  error: string | undefined;
};

type DownloadOptions = { leaveAfter?: number; headers?: Record<string, string> };

/** More is only counted and digested. */
const MOST_KEPT_BYTES = 8_000_000;
const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;

export type Downloads = ReturnType<typeof createDownloads>;

export function createDownloads(
  clock: () => Date,
  options: { closing: AbortSignal; changed: () => void },
) {
  const hosts = new Map<string, string>();
  const sources = new Map<string, { fileId: string; url: string }[]>();
  const contents = new Map<string, { content: Uint8Array; type: string }>();
  const running = new Set<Promise<unknown>>();
  const all: Download[] = [];

  function actual(url: URL): URL | undefined {
    const known = hosts.get(url.origin);
    if (known) return new URL(url.pathname + url.search, known);
    return LOOPBACK.test(url.hostname) ? url : undefined;
  }

  const cardOf = (url: string) =>
    [...sources].find(([, files]) => files.some((file) => file.url === url))?.[0] ?? '';

  /** One attempt. @returns it, and the bytes of the file so far if they fit into memory */
  async function get(address: string, given: DownloadOptions = {}) {
    const download: Download = {
      cardId: cardOf(address),
      url: address,
      at: clock(),
      status: undefined,
      headers: {},
      bytes: 0,
      sha256: undefined,
      error: undefined,
    };
    all.push(download);
    const target = URL.canParse(address) ? actual(new URL(address)) : undefined;
    if (!target) {
      download.error = 'not reachable';
      return { download, content: undefined };
    }
    const work = receive(download, target, given, options.closing);
    running.add(work);
    const content = await work.finally(() => running.delete(work));
    options.changed();
    return { download, content };
  }

  async function downloadCard(cardId: string): Promise<Download[]> {
    const files = sources.get(cardId) ?? [];
    return Promise.all(
      files.map(async ({ fileId, url }) => {
        const { download, content } = await get(url);
        const type = download.headers['content-type'] ?? '';
        if (content && download.sha256) contents.set(fileId, { content, type });
        return download;
      }),
    );
  }

  const book = {
    /** Whether it downloads them as soon as a card is created; settable. */
    atOnce: true,
    all,
    /** Where `https://example.com` really is, as DNS would say. Nothing else is contacted, except this machine. */
    reach: (origin: string, address: string) => void hosts.set(origin, address),
    card: downloadCard,
    get,
    addressesOf: (cardId: string) => (sources.get(cardId) ?? []).map(({ url }) => url),
    created(cardId: string, files: CardFile[], elements: unknown[]) {
      const addressed = files.flatMap(({ id: fileId }, index) => {
        const url = addressOf(elements[index]);
        return url ? [{ fileId, url }] : [];
      });
      sources.set(cardId, addressed);
      if (book.atOnce) void downloadCard(cardId);
    },
    contentOf: (fileId: string) => contents.get(fileId),
    /** What became of a card's file, by its ID; undefined if it wasn't sent with the card. */
    statusOf(fileId: string) {
      const url = [...sources.values()].flat().find((file) => file.fileId === fileId)?.url;
      if (url === undefined) return undefined;
      const last = all.findLast((download) => download.url === url);
      if (!last) return 'not downloaded yet';
      if (last.sha256) return 'downloaded';
      const isOver = last.error !== undefined || (last.status ?? 0) >= 400;
      return isOver ? `download failed (${last.error ?? last.status})` : 'downloading';
    },
    async idle() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
  return book;
}

/** api.md doesn't show what represents a file: here a URL, or an object with one. */
export function addressOf(element: unknown): string | undefined {
  const address = typeof element === 'string' ? element : Object(element).url;
  return typeof address === 'string' ? address : undefined;
}

async function receive(
  download: Download,
  target: URL,
  { leaveAfter = Number.POSITIVE_INFINITY, headers = {} }: DownloadOptions,
  closing: AbortSignal,
): Promise<Uint8Array | undefined> {
  const left = new AbortController();
  const hash = createHash('sha256');
  const kept: Uint8Array[] = [];
  const keep = (chunk: Uint8Array) => {
    download.bytes += chunk.length;
    hash.update(chunk);
    if (download.bytes <= MOST_KEPT_BYTES) kept.push(chunk);
    // Who has all of it, as its length says, has nothing to leave.
    const isWhole = download.bytes === Number(download.headers['content-length']);
    if (download.bytes >= leaveAfter && !isWhole) left.abort();
  };
  try {
    const response = await fetch(target, {
      headers,
      signal: AbortSignal.any([closing, left.signal]),
      redirect: 'manual',
    });
    download.status = response.status;
    download.headers = Object.fromEntries(response.headers);
    for await (const chunk of response.body ?? []) keep(chunk);
    if (response.ok && !left.signal.aborted) download.sha256 = hash.digest('hex');
  } catch (error) {
    download.error = reasonOf(error);
  }
  return download.bytes <= MOST_KEPT_BYTES ? Buffer.concat(kept) : undefined;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
