// Raw sockets for input that no HTTP client would send: writes bytes and reads the response.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Desk } from './open-api-desk.ts';

/**
 * Writes chunks one by one; returns all data until the connection closes.
 * @param ends whether the client ends with the last chunk, or leaves that to the server
 */
export async function converse(
  desk: Desk,
  pieces: readonly (string | Uint8Array)[],
  ends = true,
): Promise<string> {
  const { hostname, port } = new URL(desk.url);
  const signal = AbortSignal.timeout(30_000);
  const socket = connect({ host: hostname, port: Number(port), signal });
  // A server that refuses early closes during the write.
  socket.on('error', () => undefined);
  let received = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece;
  });
  const closed = once(socket, 'close');
  for (const piece of pieces)
    if (socket.writable) await new Promise<void>((sent) => socket.write(piece, () => sent()));
  if (ends) socket.end();
  await closed;
  if (signal.aborted) throw new Error(`no end after ten seconds, but: ${received.slice(0, 200)}`);
  return received;
}

/** The statuses of all responses in the received data. */
export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

export const authorityOf = (desk: Desk) => new URL(desk.url).host;
/** The head of a request with a valid Host. */
export const writeHead = (desk: Desk, line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: ${authorityOf(desk)}`, ...headers, '', ''].join('\r\n');
