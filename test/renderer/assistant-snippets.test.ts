// Commands, links and files that connect each assistant: exact, with the engine's address, and the
// same in the docs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bundlePath,
  describeAssistants,
} from '../../renderer/screens/connections/assistant-snippets.ts';

const root = 'http://127.0.0.1:43117';
const find = (id: string, environment: 'live' | 'staging' = 'live') => {
  const found = describeAssistants(root, environment).find((one) => one.id === id);
  if (!found) throw new Error(`no assistant ${id}`);
  return found;
};
const textOf = (id: string, at = 0) => find(id).snippets[at]?.text ?? '';

test('Claude Code gets name, transport and address, and with a key its header', () => {
  const add = `claude mcp add --transport http enrichment-desk ${root}/api/v1/mcp`;
  expect(textOf('claude-code')).toBe(add);
  expect(textOf('claude-code', 1)).toBe(`${add} --header "Authorization: Bearer <API_KEY>"`);
});

test('the link of Cursor has the same server as its file', () => {
  const link = new URL(find('cursor').link?.href ?? '');
  expect(`${link.protocol}//${link.host}${link.pathname}`).toBe(
    'cursor://anysphere.cursor-deeplink/mcp/install',
  );
  const server = JSON.parse(atob(link.searchParams.get('config') ?? ''));
  expect(server).toEqual({ url: `${root}/api/v1/mcp` });
  expect(JSON.parse(textOf('cursor'))).toEqual({
    mcpServers: { [link.searchParams.get('name') ?? '']: server },
  });
});

test('the link of VS Code has the same server as its file', () => {
  const [path, query = ''] = (find('vscode').link?.href ?? '').split('?');
  expect(path).toBe('vscode:mcp/install');
  const { name, ...server } = JSON.parse(decodeURIComponent(query));
  expect(server).toEqual({ type: 'http', url: `${root}/api/v1/mcp` });
  expect(JSON.parse(textOf('vscode'))).toEqual({ servers: { [name]: server } });
});

const readText = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
const plugin = join(import.meta.dirname, '../../resources/plugin');
const readJson = (path: string) => JSON.parse(readFileSync(join(plugin, path), 'utf8'));

test('the plugin of Claude Code adds the address of VS Code, and is what its marketplace offers', () => {
  expect(readJson('.mcp.json').mcpServers).toEqual(JSON.parse(textOf('vscode')).servers);
  const market = readJson('.claude-plugin/marketplace.json');
  expect(market.owner.name).toBe(readJson('.claude-plugin/plugin.json').author.name);
  for (const { name, source } of market.plugins) {
    expect(readJson(join(source, '.claude-plugin/plugin.json')).name).toBe(name);
    expect(readText('docs/assistants.md')).toContain(
      `claude plugin install ${name}@${market.name}\n`,
    );
  }
  for (const skill of readdirSync(join(plugin, 'skills')))
    expect(readText(`resources/plugin/skills/${skill}/SKILL.md`)).toMatch(
      new RegExp(`^---\nname: ${skill}\ndescription: \\S`),
    );
});

test('in staging every address, name and command is of that environment', () => {
  const all = describeAssistants(root, 'staging');
  const texts = all.flatMap(({ snippets }) => snippets.map(({ text }) => text));
  const addresses = texts.filter((text) => text.includes(root));
  expect(addresses.length).toBeGreaterThan(4);
  for (const text of addresses) expect(text).toContain(`${root}/staging/api/v1/mcp`);
  expect(texts).toContain('desk mcp --staging');
  expect(find('claude-desktop', 'staging').sentence).toContain('Staging');
});

test('no snippet contains a key, and only the bundle is a file of the page', () => {
  const text = JSON.stringify(describeAssistants(root, 'live'));
  expect(text).not.toMatch(/sk_(live|test)_/);
  expect(find('claude-desktop').link?.href).toBe(bundlePath);
});

test('docs/assistants.md and the README have the same snippets', () => {
  const docs = readText('docs/assistants.md');
  expect(readText('README.md')).toContain(`${textOf('claude-code')}\n`);
  for (const { title, snippets } of describeAssistants(root, 'live')) {
    expect(docs).toContain(`## ${title}`);
    for (const { text } of snippets) expect(docs).toContain(text);
  }
});
