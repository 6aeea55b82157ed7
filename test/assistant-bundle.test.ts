// The packed bundle for Claude Desktop: unpacked, validated, and run.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tools } from '../engine/contract/assistants/tools.ts';
import { connectStdio, hello, openStdio } from './cli/stdio-desk.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';

const root = join(import.meta.dirname, '..');
const readJson = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Manifest {
  version: string;
  icon: string;
  tools: { name: string }[];
  long_description: string;
  server: {
    entry_point: string;
    mcp_config: { command: string; args: string[]; env: Record<string, string> };
  };
  user_config: Record<string, { default: unknown }>;
}

let dir: string;
let manifest: Manifest;
let engine: EngineProcess;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'desk-bundle-'));
  const files = unzipSync(readFileSync(join(root, 'out/renderer/enrichment-desk.mcpb')));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
  }
  manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  engine = await startEngineProcess(join(dir, 'data'));
});
afterAll(async () => {
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** The assistant's command from the manifest: arguments and environment, with settings. */
function fillConfig(settings: Record<string, string>) {
  const fill = (text: string) =>
    text
      .replace(/\$\{__dirname\}/g, () => dir)
      .replace(/\$\{user_config\.(\w+)\}/g, (name, key: string) => settings[key] ?? name);
  const { args, env } = manifest.server.mcp_config;
  const filled = Object.entries(env).map(([name, value]) => [name, fill(value)] as const);
  return { words: args.map(fill), env: Object.fromEntries(filled) };
}

test('its manifest is valid by the official schema, and names version, tools and files', () => {
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const validate = ajv.compile(readJson('test/fixtures/mcpb-manifest-v0.3.schema.json'));
  validate(manifest);
  expect(validate.errors).toBeNull();
  expect(validate({ ...manifest, server: null })).toBe(false);
  expect(manifest.version).toBe(readJson('package.json').version);
  expect(manifest.tools.map(({ name }) => name)).toEqual(Object.keys(tools));
  expect(manifest.long_description).toContain(`${Object.keys(tools).length} tools`);
  for (const file of [manifest.icon, manifest.server.entry_point])
    expect(readFileSync(join(dir, file)).length).toBeGreaterThan(0);
  // The assistant's own Node has none of the product's packages.
  const server = readFileSync(join(dir, manifest.server.entry_point), 'utf8');
  const imported = [...server.matchAll(/^import .* from ["']([^"']+)["'];$/gm)];
  expect(imported.map(([, name = '']) => name).filter((name) => !/^node:/.test(name))).toEqual([]);
});

// Every client works with the bridge in it: test/cli/mcp.test.ts.
test('a client reaches the running engine through it', async () => {
  const { words, env } = fillConfig({ data_folder: join(dir, 'data') });
  const client = await connectStdio(words, 'v2 newest', 'claude-ai', env);
  expect(await client.listTools()).toHaveLength(Object.keys(tools).length);
  expect((await client.call('check_wallet')).data.available).toBe('100000.0000');
  const keys = (await engine.ask('GET', '/app/v1/keys')) as { label: string }[];
  expect(keys.map(({ label }) => label)).toEqual(['stdio: claude-ai']);
});

test('its settings select the staging environment and the account', async () => {
  const data_folder = join(dir, 'data');
  const staging = fillConfig({ data_folder, staging: 'true', account: '' });
  const trying = await connectStdio(staging.words, 'v2', 'claude-ai', staging.env);
  expect((await trying.call('check_wallet')).data.available).toBe('10000.0000');
  const made = (await engine.ask('POST', '/app/v1/accounts', { name: 'Other' })) as { id: string };
  const other = fillConfig({ data_folder, staging: 'false', account: made.id });
  const client = await connectStdio(other.words, 'v2', 'claude-ai', other.env);
  expect((await client.call('check_wallet')).data.available).toBe('0.0000');
});

test('without a running engine it names the remedy, and answers once there is one', async () => {
  const data_folder = join(dir, 'later');
  const { words, env } = fillConfig({ data_folder });
  const desk = openStdio(words, env);
  desk.send(...hello);
  expect(await desk.next()).toMatchObject({
    id: 'hello',
    error: { message: 'Enrichment Desk is not running. Open it, then ask again.' },
  });
  const later = await startEngineProcess(data_folder);
  desk.send(...hello);
  expect(await desk.next()).toMatchObject({
    id: 'hello',
    result: { serverInfo: { name: 'enrichment-desk' } },
  });
  desk.end();
  expect(await desk.exited).toBe(0);
  expect(await later.stop()).toBe(0);
}, 40_000);
