/**
 * What the forwarder must know of a message of the Model Context Protocol to send it by HTTP; the
 * rest goes through as it came.
 */
import { z } from 'zod';
import { stdioNameCharactersMax } from '../../contract/limits/assistants.ts';

/** The id of a request. */
export type RpcId = string | number;

/** A message, or a batch of them. */
export interface RpcMessage {
  /** As it came. */
  readonly text: string;
  /** The requests in it that wait for an answer. */
  readonly ids: readonly RpcId[];
  /** What is asked; null for an answer and for a batch. */
  readonly method: string | null;
  /** Whether a version speaks that knows sessions: those up to 2025-11-25. */
  readonly isOlder: boolean;
  /** What the newest version wants to see of a message before its body is read. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the client calls itself; null where the message does not say. */
  readonly clientName: string | null;
  /** The request that nobody waits for any more. */
  readonly cancelledId: RpcId | null;
}

/** Codes of JSON-RPC for what the forwarder itself refuses. */
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

/** A text that a header can carry: in base64 where it has other than plain characters. */
const encodeHeader = (text: string): string =>
  /^[\x21-\x7e]+( +[\x21-\x7e]+)*$/.test(text) && !text.startsWith('=?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** What the newest version wants in headers; nothing of the others. */
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

/** A name in one line, of no more than the allowed length; null where nothing is left. */
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

/** A refusal as it goes over the wire; the id is null where no request is known. */
export const writeRefusal = (
  id: RpcId | null,
  code: (typeof rpcCodes)[keyof typeof rpcCodes],
  message: string,
): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** Reads a line. Answers the refusal to be written where it holds no message. */
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
  const sentence = 'This is no message of JSON-RPC 2.0.';
  return { refusal: writeRefusal(id, rpcCodes.invalidRequest, sentence) };
}

/** The request that a message from the server answers; null for anything else. */
export function readAnsweredId(value: unknown): RpcId | null {
  const answer = z.looseObject({ id: IdSchema }).safeParse(value).data;
  return answer && ('result' in answer || 'error' in answer) ? answer.id : null;
}
