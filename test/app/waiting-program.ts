// A program that sent a person to the authorization server, and waits for the answer.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WaitingProgram {
  /** What it was answered, oldest first. */
  readonly answers: readonly URLSearchParams[];
  readonly port: number;
  readonly redirectUri: string;
  close(): void;
}

/** Starts one at an address of its own, as assistants do; to be closed. */
export async function openProgram(): Promise<WaitingProgram> {
  const answers: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname === '/callback') answers.push(url.searchParams);
    response.setHeader('content-type', 'text/html');
    response.end('<title>Program</title>Back at the program');
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    answers,
    port,
    redirectUri: `http://127.0.0.1:${port}/callback`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
