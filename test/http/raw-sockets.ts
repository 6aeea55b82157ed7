// Raw sockets, for what no client of HTTP would send: writes bytes and reads all that comes back.
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Desk } from './open-api-desk.ts';

/**
 * Writes pieces one by one and answers all that came back before the connection closed.
 * @param ends whether our side ends with the last piece, or leaves that to the server
 */
export async function converse(
  desk: Desk,
  pieces: readonly (string | Uint8Array)[],
  ends = true,
): Promise<string> {
  const { hostname, port } = new URL(desk.url);
  const signal = AbortSignal.timeout(30_000);
  const socket = connect({ host: hostname, port: Number(port), signal });
  // A server that refuses early closes while we still write.
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

/** The statuses of all answers in what was received. */
export const statusesOf = (received: string): number[] =>
  [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Host and port of a desk, as the Host header names them. */
export const authorityOf = (desk: Desk) => new URL(desk.url).host;
/** The head of a request, with a Host that is right. */
export const writeHead = (desk: Desk, line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: ${authorityOf(desk)}`, ...headers, '', ''].join('\r\n');
