// The list of tools as a model reads it: its length, and that it contains every fact of the schemas
// that validate arguments and answers.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { tools } from '../../engine/contract/assistants/tools.ts';
import type { Json } from '../http/open-api-desk.ts';
import { shareToolDesk } from './open-tool-desk.ts';
import { clientKinds, connectClient } from './tool-client.ts';

const openDesk = shareToolDesk();

/** Maximum tokens per tool on average, by the tokenizer o200k. */
const toolTokensMax = 715;

const writeWhole = (schema: z.ZodType, io: 'input' | 'output'): Json =>
  z.toJSONSchema(schema, { target: 'draft-2020-12', io });

/** Every leaf of a schema by its path, with references resolved. */
function listFacts(schema: Json): Map<string, unknown> {
  const facts = new Map<string, unknown>();
  const visit = (value: Json, path: string): void => {
    if (value === null || typeof value !== 'object') return void facts.set(path, value);
    const { $ref, $defs: _definitions, ...own } = value;
    const named = $ref === undefined ? {} : schema.$defs[$ref.split('/').at(-1)];
    const { id: _name, ...rest } = Array.isArray(value) ? { ...value } : { ...named, ...own };
    for (const [key, inner] of Object.entries(rest)) visit(inner as Json, `${path}/${key}`);
  };
  visit(schema, '');
  return facts;
}

/** Keywords that the list may omit, because a model does not act on them. */
const mayBeLeftOut = (path: string, value: unknown, facts: ReadonlyMap<string, unknown>) =>
  path === '/$schema' ||
  /\/examples\/\d+(\/\w+)?$/.test(path) ||
  // UUIDs keep their format, prices their description.
  (/\/pattern$/.test(path) && /a-fA-F|\\d\{4\}/.test(String(value))) ||
  (/\/(minimum|maximum)$/.test(path) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) ||
  (path.endsWith('/propertyNames/type') && !facts.has(path.replace(/type$/, 'enum/0')));

/** The relevant facts. A union of bare types equals a list of types. */
function listCounting(facts: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const kept = [...facts].filter(([path, value]) => !mayBeLeftOut(path, value, facts));
  const paths = kept.map(([path]) => path);
  const isBare = (choice: string) =>
    paths.every(
      (path) => !path.startsWith(choice) || /^\d+\/type$/.test(path.slice(choice.length)),
    );
  const rename = (path: string) =>
    path.replace(/^(.*\/)anyOf\/(\d+)\/type$/, (whole, before, nth) =>
      isBare(`${before}anyOf/`) ? `${before}type/${nth}` : whole,
    );
  return Object.fromEntries(kept.map(([path, value]) => [rename(path), value]));
}

test('the list has at most 715 tokens per tool', async () => {
  const desk = await openDesk();
  const { body } = await desk.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tokensMax = toolTokensMax * Object.keys(tools).length;
  expect(countTokens(JSON.stringify(body.result))).toBeLessThanOrEqual(tokensMax);
});

test.each(clientKinds)('the client %s receives all relevant facts of each tool', async (kind) => {
  const desk = await openDesk();
  const client = await connectClient(`${desk.url}/api/v1/mcp`, desk.key, kind);
  const listed = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
  for (const [at, [name, facts]] of Object.entries(tools).entries()) {
    const tool = listed[at]!;
    expect(tool).toMatchObject({
      name,
      title: facts.title,
      description: facts.description,
      annotations: {
        title: facts.title,
        readOnlyHint: facts.isReadOnly,
        destructiveHint: false,
        idempotentHint: facts.isIdempotent,
        openWorldHint: facts.isOpenWorld,
      },
    });
    for (const [shown, whole] of [
      [tool.inputSchema, writeWhole(facts.input, 'input')],
      [tool.outputSchema, writeWhole(facts.output, 'output')],
    ]) {
      expect(shown.type, name).toBe('object');
      // Names, types, descriptions, enums, required lists and bounds: the same on both sides.
      expect(listCounting(listFacts(shown)), name).toEqual(listCounting(listFacts(whole)));
      expect(JSON.stringify(shown), name).not.toMatch(/"\$(schema|ref|defs)"|"examples"|9007199/);
    }
  }
});

test('the table of tools in docs/api.md names every tool, in the order of the list', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  const table = page.slice(page.indexOf('\n### Tools\n'));
  const names = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names.slice(0, Object.keys(tools).length)).toEqual(Object.keys(tools));
});

test.each(['enrich_list', 'validate_emails'] as const)(
  '%s says that two equal calls are two jobs',
  (name) => {
    expect(tools[name].description).toMatch(/two identical calls start two jobs.*idempotency_key/i);
  },
);
