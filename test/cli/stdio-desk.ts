// Runs the real `desk mcp` as an assistant does: a process with standard streams.
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { type ClientKind, connectOver, type ToolClient } from '../assistants/tool-client.ts';
import { deskCommand } from '../desk-program.ts';
import type { Json } from '../http/open-api-desk.ts';

/** The command that starts `desk mcp` on a folder. */
export const mcpWords = (dataDir: string, ...args: string[]): string[] => [
  ...deskCommand,
  'mcp',
  '--data-dir',
  dataDir,
  ...args,
];

export function connectStdio(
  words: readonly string[],
  kind: ClientKind,
  name?: string,
  env: Record<string, string> = {},
): Promise<ToolClient> {
  const Transport = kind === 'v1' ? OldTransport : StdioClientTransport;
  const transport = new Transport({
    command: process.execPath,
    args: [...words],
    cwd: tmpdir(),
    // By default a client passes on a few variables, without the cache of compiled code.
    env: { ...(process.env as Record<string, string>), ...env },
    stderr: 'ignore',
  });
  return connectOver(transport, kind, name);
}

export interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The process, with line-based input and output. */
export interface StdioDesk {
  readonly child: ChildProcess;
  /** Writes lines: bytes and strings unchanged, other values as JSON. */
  send(...messages: (object | string | Buffer)[]): void;
  next(): Promise<Message>;
  /** Lines that were not expected. */
  readonly unread: readonly Message[];
  readonly said: string;
  end(): void;
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts the command; the process ends with the test. Every line that it prints must be JSON. */
export function openStdio(words: readonly string[], env: NodeJS.ProcessEnv = {}): StdioDesk {
  const child = spawn(process.execPath, words, {
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const unread: Message[] = [];
  const waiting: PromiseWithResolvers<Message>[] = [];
  let said = '';
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      const first = waiting.shift();
      if (first) first.resolve(message);
      else unread.push(message);
    }
  });
  const exited = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      for (const one of waiting) one.reject(new Error(`desk mcp ended with ${code}: ${said}`));
      resolve(code);
    });
  });
  // It may end before all input is written.
  child.stdin.on('error', () => undefined);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return {
    child,
    unread,
    exited,
    send(...messages) {
      for (const one of messages) {
        child.stdin.write(
          typeof one === 'string' || Buffer.isBuffer(one) ? one : JSON.stringify(one),
        );
        child.stdin.write('\n');
      }
    },
    next() {
      const message = unread.shift();
      if (message) return Promise.resolve(message);
      const one = Promise.withResolvers<Message>();
      waiting.push(one);
      return one.promise;
    },
    get said() {
      return said;
    },
    end: () => void child.stdin.end(),
  };
}

export const hello = [
  {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'raw', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

export const ask = (id: string | number, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
