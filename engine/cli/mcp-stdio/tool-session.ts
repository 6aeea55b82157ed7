/**
 * The session of a client of the older protocol versions with the engine, which outlives the
 * engine: with the next one it is begun anew, by the client's own words.
 *
 *   none ──initialize──> begun ──engine gone, session unknown──> stale ──next message──> begun
 */
import type { IncomingMessage } from 'node:http';
import type { EngineClient } from '../kit/engine-client.ts';
import { readEventData } from '../kit/event-data.ts';
import type { RpcMessage } from './rpc-message.ts';
import type { Identify } from './tool-identity.ts';

/** Where the tool server is, in each environment. */
export const toolPath = '/api/v1/mcp';
/** What every message is sent with. */
export const messageHeaders = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** What a session works with. */
export interface SessionParts {
  openEngine(): Promise<EngineClient>;
  readonly identify: Identify;
  /** Hears of what the server says by itself. */
  receive(data: string): Promise<void>;
  /** Ends its stream. */
  readonly signal: AbortSignal;
}

/** A session. */
export interface ToolSession {
  readonly isBegun: boolean;
  /** Takes the session that the answer to `initialize` names. */
  begin(initialize: RpcMessage, answer: IncomingMessage): void;
  /** Takes the version that was agreed on. */
  agree(version: string): void;
  /** Opens the stream of what the server says by itself, if there is a session. */
  listen(): void;
  /** The engine has gone, or does not know the session. */
  markStale(): void;
  /** The headers of a message of the session, which is begun anew where it is stale. */
  headers(): Promise<Record<string, string>>;
  /** Ends it. */
  end(): Promise<void>;
}

/** What is known of a session. */
interface SessionState {
  /** The client's own words, which begin it. */
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

/** Sends a message of its own and reads the answer to its end, for what is in its head. */
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

/** Begins a session anew. */
async function renew(parts: SessionParts, state: SessionState): Promise<void> {
  if (state.initialize === null) return;
  const words = { ...JSON.parse(state.initialize.text), id: 'begun-anew' };
  takeId(state, await send(parts, 'POST', {}, JSON.stringify(words)));
  await send(parts, 'POST', writeHeaders(state), initializedText);
}

/** Reads the session's stream until it ends, which makes the session stale. */
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
    // A stream that breaks is no failure: the next message begins the session anew.
  }
  if (id === state.id) state.isStale = true;
}

/** Makes a session that has not begun. */
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
