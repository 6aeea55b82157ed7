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

/** A text result. */
export const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] });
/** Arguments of a tool without any. */
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
/** A request for text of a model. */
export const sample = (question: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens,
  });
/** A client's answer to a named request; undefined without one. */
export const given = (deps: ServerContext, name: string): unknown =>
  deps.mcpReq.inputResponses?.[name];
/** The fields of an accepted form. */
export const accepted = (deps: ServerContext, name: string) =>
  acceptedContent<Record<string, unknown>>(deps.mcpReq.inputResponses, name);

/** Possible results of a fixture tool. */
export type FixtureAnswer =
  | { content: readonly unknown[]; isError?: boolean }
  | ReturnType<typeof inputRequired>;
/** Returns the result of a fixture tool. */
export type FixtureTool = (
  deps: ServerContext,
  args: Record<string, string>,
) => FixtureAnswer | Promise<FixtureAnswer>;

/** Adds a tool under the name that the suites use. */
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

/** Collected requests for input. */
export type Requests = InputRequests;
