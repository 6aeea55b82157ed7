// The parts of a message of MCP that sending it over HTTP needs. The message stays unchanged.
import { z } from 'zod';
import { stdioNameCharactersMax } from '../../contract/limits/assistants.ts';

export type RpcId = string | number;

export interface RpcMessage {
  readonly text: string;
  readonly ids: readonly RpcId[];
  /** Null for an answer and for a batch. */
  readonly method: string | null;
  /** Whether it is of a version with sessions: up to 2025-11-25. */
  readonly isOlder: boolean;
  /** Headers by which the newest version repeats parts of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The client's name for itself; null if the message has none. */
  readonly clientName: string | null;
  readonly cancelledId: RpcId | null;
}

export const rpcCodes = { parseError: -32700, invalidRequest: -32600, failed: -32000 } as const;

const IdSchema = z.string().or(z.number());
const ClientInfoSchema = z.looseObject({ name: z.string() }).nullish().catch(null);
const versionField = 'io.modelcontextprotocol/protocolVersion';
const clientField = 'io.modelcontextprotocol/clientInfo';

const MessageSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: IdSchema.optional(),
  method: z.string().optional(),
  params: z
    .looseObject({
      name: z.string().optional().catch(undefined),
      uri: z.string().optional().catch(undefined),
      requestId: IdSchema.optional().catch(undefined),
      clientInfo: ClientInfoSchema,
      _meta: z
        .looseObject({
          [versionField]: z.string().optional().catch(undefined),
          [clientField]: ClientInfoSchema,
        })
        .nullish()
        .catch(null),
    })
    .optional()
    .catch(undefined),
});
type ParsedMessage = z.infer<typeof MessageSchema>;

/** A text as a header value: in base64 unless it is plain ASCII. */
const encodeHeader = (text: string): string =>
  /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** The headers of a message of the newest version; none for older ones. */
function writeHeaders({ method, params }: ParsedMessage): Record<string, string> {
  const version = params?._meta?.[versionField];
  if (typeof version !== 'string' || method === undefined) return {};
  const name = method === 'resources/read' ? params?.uri : params?.name;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': encodeHeader(name) }),
  };
}

/** A name on one line, cut to the allowed length; null if nothing is left. */
function cleanName(name: string | undefined): string | null {
  const clean = (name ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  return clean.slice(0, stdioNameCharactersMax).trim() || null;
}

function describeSingle(text: string, parsed: ParsedMessage): RpcMessage {
  const { id, method, params } = parsed;
  const headers = writeHeaders(parsed);
  const client = params?._meta?.[clientField] as { name: string } | null | undefined;
  return {
    text,
    ids: method !== undefined && id !== undefined ? [id] : [],
    method: method ?? null,
    isOlder: headers['mcp-method'] === undefined,
    headers,
    clientName: cleanName((method === 'initialize' ? params?.clientInfo : client)?.name),
    cancelledId: method === 'notifications/cancelled' ? (params?.requestId ?? null) : null,
  };
}

function describeBatch(text: string, batch: readonly ParsedMessage[]): RpcMessage {
  const ids = batch.flatMap(({ id, method }) => (method && id !== undefined ? [id] : []));
  const nothing = { headers: {}, clientName: null, cancelledId: null };
  return { text, ids, method: null, isOlder: true, ...nothing };
}

/** A refusal as a line of the protocol. The id is null if the request is unknown. */
export const writeRefusal = (
  id: RpcId | null,
  code: (typeof rpcCodes)[keyof typeof rpcCodes],
  message: string,
): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

export function readMessage(line: Uint8Array): RpcMessage | { readonly refusal: string } {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
    value = JSON.parse(text);
  } catch {
    const sentence = 'Parse error: send one JSON message on each line, in UTF-8.';
    return { refusal: writeRefusal(null, rpcCodes.parseError, sentence) };
  }
  const batch = z.array(MessageSchema).min(1).safeParse(value);
  if (batch.success) return describeBatch(text, batch.data);
  const single = MessageSchema.safeParse(value);
  if (single.success) return describeSingle(text, single.data);
  const id = z.object({ id: IdSchema }).safeParse(value).data?.id ?? null;
  const sentence = 'This is not a JSON-RPC 2.0 message.';
  return { refusal: writeRefusal(id, rpcCodes.invalidRequest, sentence) };
}

/** The id of the request that a message of the server answers; null for anything else. */
export function readAnsweredId(value: unknown): RpcId | null {
  const answer = z.looseObject({ id: IdSchema }).safeParse(value).data;
  return answer && ('result' in answer || 'error' in answer) ? answer.id : null;
}
