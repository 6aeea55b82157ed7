// A client that times GETs over the engine's local socket with almost no garbage, so that its own
// collector does not affect a page.
import { connect } from 'node:net';

/** The filters of the pages that are timed, and how many pages of each. */
export const pageFilters = ['', '&status=enriched', '&status=skipped'] as const;
export const pagesPerFilter = 1_200;

const bytesMax = 262_144;
const endOfHead = '\r\n\r\n';

/** Times requests, one after the other, over one connection. */
export interface PageClient {
  /** Milliseconds until a GET was answered completely; throws unless the status is 200. */
  time(path: string): Promise<number>;
  close(): void;
}

/** Bytes of a whole response by its head; null until the head has arrived. */
function readLength(received: Buffer): number | null {
  const end = received.indexOf(endOfHead);
  if (end < 0) return null;
  const head = received.toString('latin1', 0, end);
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (!head.startsWith('HTTP/1.1 200') || !length) throw new Error(head);
  return end + endOfHead.length + Number(length);
}

/** Connects to the socket of an engine. */
export function openPageClient(socketPath: string): PageClient {
  // Reads into the same buffer each time.
  const buffer = Buffer.alloc(bytesMax);
  let take: (bytes: number) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const onread = {
    buffer,
    callback(bytes: number) {
      take(bytes);
      return true;
    },
  };
  const socket = connect({ path: socketPath, onread });
  socket.on('error', (error) => fail(error));
  socket.on('close', () => fail(new Error('the engine closed the connection')));
  return {
    time(path) {
      const startedAt = performance.now();
      let length: number | null = null;
      let received = 0;
      return new Promise((resolve, reject) => {
        fail = reject;
        take = (bytes) => {
          try {
            // A head arrives in one chunk, before everything else.
            length ??= readLength(buffer.subarray(0, bytes));
          } catch (error) {
            return reject(error as Error);
          }
          received += bytes;
          if (received === length) resolve(performance.now() - startedAt);
        };
        socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
      });
    },
    close() {
      fail = () => undefined;
      socket.destroy();
    },
  };
}
