// Plain tools of the fixture: contents of every kind, errors, logging, progress, schemas.
import { setImmediate as turn } from 'node:timers/promises';
import { fromJsonSchema, type McpServer, type ServerEventBus } from '@modelcontextprotocol/server';
import { addTool, none, picture, sound, text } from './fixture-words.ts';

const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const image = { type: 'image', data: picture, mimeType: 'image/png' };

function addContents(server: McpServer): void {
  addTool(server, 'test_simple_text', () => text('This is a simple text response for testing.'));
  addTool(server, 'test_image_content', () => ({ content: [image] }));
  addTool(server, 'test_audio_content', () => ({
    content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }],
  }));
  addTool(server, 'test_embedded_resource', () => ({
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  }));
  addTool(server, 'test_multiple_content_types', () => ({
    content: [
      ...text('Multiple content types test:').content,
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  addTool(server, 'test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function addNotices(server: McpServer, bus: ServerEventBus): void {
  const steps = ['Tool execution started', 'Tool processing data', 'Tool execution completed'];
  addTool(server, 'test_tool_with_logging', async ({ mcpReq }) => {
    for (const step of steps) {
      await mcpReq.log('info', step);
      await turn();
    }
    return text('done');
  });
  addTool(server, 'test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'ran');
    return text('logged');
  });
  addTool(server, 'test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) continue;
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: 'notifications/progress', params });
      await turn();
    }
    return text(String(progressToken ?? 'none'));
  });
  addTool(server, 'test_trigger_tool_change', () => {
    bus.publish({ kind: 'tools_list_changed' });
    return text('sent');
  });
  addTool(server, 'test_trigger_prompt_change', () => {
    bus.publish({ kind: 'prompts_list_changed' });
    return text('sent');
  });
}

const person = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome's rule on thenables targets promises; this is a keyword of JSON Schema.
  ...Object.fromEntries([['then', { required: ['phone'] }]]),
  else: { required: ['email'] },
  additionalProperties: false,
};
const parameters = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } },
};

/** Tools with hand-written schemas, and one that ends its own stream. */
function addSchemas(server: McpServer): void {
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Keywords of JSON Schema 2020-12',
      inputSchema: fromJsonSchema(person as never),
    },
    async (args: unknown) => text(JSON.stringify(args)),
  );
  server.registerTool(
    'test_x_mcp_header',
    {
      description: 'Arguments that come as headers too',
      inputSchema: fromJsonSchema(parameters as never),
    },
    async () => text('ok'),
  );
  server.registerTool(
    'test_reconnection',
    { description: 'Closes its event stream in the middle', inputSchema: none },
    async (_args, { http }) => {
      http?.closeSSE?.();
      await turn();
      return text('reconnected');
    },
  );
}

export function addPlainTools(server: McpServer, bus: ServerEventBus): void {
  addContents(server);
  addNotices(server, bus);
  addSchemas(server);
}
