// What the tools, resources and prompts of the conformance fixture are made of.
import {
  acceptedContent,
  type InputRequests,
  inputRequired,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** A picture of one pixel, base64. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** A sound of no length, base64. */
export const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

/** A result that is a text. */
export const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
/** Arguments of a tool that takes none. */
export const none = z.object({});

/** Properties of a form that an elicitation shows. */
export type Fields = Readonly<Record<string, unknown>>;

/** A request for a form, as the newest version asks. */
export const ask = (message: string, properties: Fields, required: readonly string[]) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties, required } as never,
  });
/** A request for a name. */
export const askName = () => ask('What is your name?', { name: { type: 'string' } }, ['name']);
/** A request for words of a model. */
export const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });
/** What a client sent under a name; undefined where it sent nothing. */
export const given = (deps: ServerContext, name: string): unknown =>
  deps.mcpReq.inputResponses?.[name];
/** The fields of a form that was accepted. */
export const accepted = (deps: ServerContext, name: string) =>
  acceptedContent<Record<string, unknown>>(deps.mcpReq.inputResponses, name);

/** What a tool of the fixture may answer. */
export type FixtureAnswer =
  | { content: readonly unknown[]; isError?: boolean }
  | ReturnType<typeof inputRequired>;
/** Answers a tool of the fixture. */
export type FixtureTool = (
  deps: ServerContext,
  args: Record<string, string>,
) => FixtureAnswer | Promise<FixtureAnswer>;

/** Adds a tool by the name that the suites know it by. */
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

/** Requests for input, as they are gathered. */
export type Requests = InputRequests;
