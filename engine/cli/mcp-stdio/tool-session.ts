// The session of a client of the older protocol versions. It outlives an engine: with the next one
// it starts again by repeating the client's own `initialize`.
//
//   none ──initialize──> begun ──engine gone, session unknown──> stale ──next message──> begun
import type { IncomingMessage } from 'node:http';
import type { EngineClient } from '../kit/engine-client.ts';
import { readEventData } from '../kit/event-data.ts';
import type { RpcMessage } from './rpc-message.ts';
import type { Identify } from './tool-identity.ts';

export const toolPath = '/api/v1/mcp';
export const messageHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

export interface SessionParts {
  openEngine(): Promise<EngineClient>;
  readonly identify: Identify;
  receive(data: string): Promise<void>;
  /** Ends its stream. */
  readonly signal: AbortSignal;
}

export interface ToolSession {
  readonly isBegun: boolean;
  /** Stores the session id of the answer to `initialize`. */
  begin(initialize: RpcMessage, answer: IncomingMessage): void;
  agree(version: string): void;
  listen(): void;
  markStale(): void;
  headers(): Promise<Record<string, string>>;
  end(): Promise<void>;
}

interface SessionState {
  /** The client's message that started it. */
  initialize: RpcMessage | null;
  id: string | null;
  version: string | null;
  isStale: boolean;
}

const writeHeaders = ({ id, version }: SessionState): Record<string, string> => ({
  ...(id !== null && { 'mcp-session-id': id }),
  ...(version !== null && { 'mcp-protocol-version': version }),
});

function takeId(state: SessionState, answer: IncomingMessage): void {
  state.id = answer.headers['mcp-session-id']?.toString() ?? null;
  state.isStale = false;
}

/** Sends a message from the bridge itself. Resolves with the answer's head when it has ended. */
async function send(
  { openEngine, identify, signal }: SessionParts,
  method: 'POST' | 'DELETE',
  extra: Record<string, string>,
  body?: string,
): Promise<IncomingMessage> {
  const headers = { ...messageHeaders, ...extra, ...(await identify(null)) };
  const engine = await openEngine();
  return engine.forward(
    { method, path: toolPath, headers, signal, ...(body !== undefined && { body }) },
    async (answer) => {
      for await (const _ of answer);
      return answer;
    },
  );
}

const initializedText = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

async function renew(parts: SessionParts, state: SessionState): Promise<void> {
  if (state.initialize === null) return;
  const message = { ...JSON.parse(state.initialize.text), id: 'session-renewal' };
  takeId(state, await send(parts, 'POST', {}, JSON.stringify(message)));
  await send(parts, 'POST', writeHeaders(state), initializedText);
}

/** Reads the session's stream to its end; the session is then stale. */
async function follow(parts: SessionParts, state: SessionState): Promise<void> {
  const { id } = state;
  const { openEngine, identify, signal, receive } = parts;
  try {
    const headers = {
      accept: 'text/event-stream',
      ...writeHeaders(state),
      ...(await identify(null)),
    };
    const engine = await openEngine();
    await engine.forward({ method: 'GET', path: toolPath, headers, signal }, async (answer) => {
      for await (const data of readEventData(answer)) await receive(data);
    });
  } catch {
    // A broken stream is not a failure: the next message starts the session again.
  }
  if (id === state.id) state.isStale = true;
}

export function createToolSession(parts: SessionParts): ToolSession {
  const state: SessionState = { initialize: null, id: null, version: null, isStale: false };
  let renewal: Promise<void> | null = null;
  const listen = () => {
    if (state.id !== null) void follow(parts, state);
  };
  return {
    get isBegun() {
      return state.initialize !== null;
    },
    begin(words, answer) {
      state.initialize = words;
      takeId(state, answer);
    },
    agree(version) {
      state.version = version;
    },
    listen,
    markStale() {
      state.isStale = true;
    },
    async headers() {
      if (state.isStale) {
        renewal ??= renew(parts, state)
          .then(listen)
          .finally(() => {
            renewal = null;
          });
        await renewal;
      }
      return writeHeaders(state);
    },
    async end() {
      if (state.id !== null && !state.isStale) await send(parts, 'DELETE', writeHeaders(state));
    },
  };
}
