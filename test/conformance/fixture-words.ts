// Content of the tools, resources and prompts of the conformance fixture.
import {
  acceptedContent,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A one-pixel picture, base64. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** An empty sound, base64. */
export const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

export const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
/** Arguments of a tool without any. */
export const none = z.object({});

export type Fields = Readonly<Record<string, unknown>>;

/** A request for a form, as the newest version asks. */
export const ask = (message: string, properties: Fields, required: readonly string[]) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required } as never,
  });
export const askName = () => ask('What is your name?', { name: { type: 'string' } }, ['name']);
export const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });
/** A client's answer to a named request; undefined without one. */
export const given = (deps: ServerContext, name: string): unknown =>
  deps.mcpReq.inputResponses?.[name];
export const accepted = (deps: ServerContext, name: string) =>
  acceptedContent<Record<string, unknown>>(deps.mcpReq.inputResponses, name);

export type FixtureAnswer =
  | { content: readonly unknown[]; isError?: boolean }
  | ReturnType<typeof inputRequired>;
export type FixtureTool = (
  deps: ServerContext,
  args: Record<string, string>,
) => FixtureAnswer | Promise<FixtureAnswer>;

export function addTool(
  server: McpServer,
  name: string,
  answer: FixtureTool,
  inputSchema: z.ZodObject = none,
): void {
  const description = `fixture ${name}`;
  server.registerTool(name, { description, inputSchema }, ((
    args: Record<string, string>,
    deps: ServerContext,
  ) => answer(deps, args)) as never);
}

export type Requests = InputRequests;
