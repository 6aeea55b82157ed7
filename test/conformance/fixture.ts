// A tool server with everything that the official conformance suites call by name, on the product's
// own endpoint: the suites test its routing, guards and credentials.
import { randomBytes } from 'node:crypto';
import {
  createRequestStateCodec,
  type EventStore,
  InMemoryServerEventBus,
  inputRequired,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolParts } from '../../engine/assistants/tool-server/tool-endpoint.ts';
import { addNewestQuestions, addOlderQuestions } from './fixture-questions.ts';
import { addPlainTools } from './fixture-tools.ts';
import { accepted, ask, picture } from './fixture-words.ts';

function addResources(server: McpServer): void {
  const texts = {
    'static-text': 'This is the content of the static text resource.',
    'watched-resource': 'watched',
  };
  for (const [name, text] of Object.entries(texts))
    server.registerResource(
      name,
      `test://${name}`,
      { description: name, mimeType: 'text/plain' },
      async ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text }] }),
    );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'a picture', mimeType: 'image/png' },
    async ({ href: uri }) => ({ contents: [{ uri, mimeType: 'image/png', blob: picture }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'a template', mimeType: 'application/json' },
    async ({ href: uri }, { id }) => {
      const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
      return { contents: [{ uri, mimeType: 'application/json', text }] };
    },
  );
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

const said = (content: unknown) => ({
  role: 'user' as const,
  content: content as { type: 'text'; text: string },
});
const words = (text: string) => said({ type: 'text', text });

function addPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'simple' }, async () => ({
    messages: [words('This is a simple prompt for testing.')],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'arguments', argsSchema: z.object({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({
      messages: [words(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    async ({ resourceUri: uri }) => {
      const text = 'Embedded resource content for testing.';
      const resource = { uri, mimeType: 'text/plain', text };
      return {
        messages: [
          said({ type: 'resource', resource }),
          words('Please process the embedded resource above.'),
        ],
      };
    },
  );
  server.registerPrompt('test_prompt_with_image', { description: 'an image' }, async () => ({
    messages: [
      said({ type: 'image', data: picture, mimeType: 'image/png' }),
      words('Please analyze the image above.'),
    ],
  }));
  const question = () =>
    ask('What context should the prompt use?', { context: { type: 'string' } }, ['context']);
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks first' }, (async (
    deps: ServerContext,
  ) => {
    const context = accepted(deps, 'user_context')?.context;
    return typeof context === 'string'
      ? { messages: [words(context)] }
      : inputRequired({ inputRequests: { user_context: question() } });
  }) as never);
}

/** Keeps events in memory, so that a reconnecting client receives the missed ones. */
function openEventStore(): EventStore {
  const kept: { id: string; stream: string; message: unknown }[] = [];
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${String(kept.length).padStart(9, '0')}`;
      kept.push({ id, stream, message });
      return id;
    },
    getStreamIdForEventId: async (id) => kept.find((event) => event.id === id)?.stream,
    async replayEventsAfter(last, { send }) {
      const from = kept.findIndex(({ id }) => id === last);
      const stream = kept[from]?.stream ?? '';
      for (const event of kept.slice(from + 1))
        if (event.stream === stream && Object.keys(event.message as object).length > 0)
          await send(event.id, event.message as never);
      return stream;
    },
  };
}

/** The fixture, started with the product's server. */
export function makeFixture(): ToolParts {
  const bus = new InMemoryServerEventBus();
  const codec = createRequestStateCodec<Record<string, unknown>>({ key: randomBytes(32) });
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  return {
    bus,
    openEventStore,
    openServer() {
      const server = new McpServer(
        { name: 'conformance', version: '1.0.0' },
        { capabilities, requestState: { verify: codec.verify } },
      );
      addPlainTools(server, bus);
      addOlderQuestions(server);
      addNewestQuestions(server, codec);
      addResources(server);
      addPrompts(server);
      return server;
    },
  };
}
