import { connect } from 'node:net';

/** One kept-alive connection to an app. */
export type Connection = ReturnType<typeof openConnection>;

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/**
 * Opens a connection that parses only as much HTTP as necessary, so that measuring costs the machine far less than
 * what is measured: Node's own client takes longer for a request than the apps need to answer it.
 */
export function openConnection({ host, port }: { host: string; port: number }) {
  const socket = connect({ host, port, noDelay: true });
  let received = '';
  let waiting: PromiseWithResolvers<number> | undefined;

  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
    const status = statusOfWhole(received);
    if (status === undefined) return;
    received = '';
    waiting?.resolve(status);
  });
  const fail = (why: string) => waiting?.reject(new Error(`A connection to the app ${why}.`));
  socket.on('error', ({ message }) => fail(`failed: ${message}`));
  socket.on('close', () => fail('was closed'));

  return {
    /** Writes one whole request and resolves to the status of its answer. One at a time. */
    exchange(request: Buffer) {
      waiting = Promise.withResolvers();
      socket.write(request);
      return waiting.promise;
    },
    /** Whether the app hasn't closed it, as it does with idle ones. */
    isOpen: () => socket.writable,
    close: () => socket.destroy(),
  };
}

/** The status of a complete answer; undefined while part of it is missing. */
function statusOfWhole(text: string): number | undefined {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const isWhole =
    length === undefined
      ? text.endsWith(LAST_CHUNK)
      : text.length >= headEnd + HEAD_END.length + Number(length);
  return isWhole ? Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)) : undefined;
}
