// Rules of several sources: which wins, what each system hands over, and the published schema.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { TeamConfigSchema } from '../../engine/contract/team/team-config.ts';
import { writePropertyList, writeRegistryFile } from '../../engine/policy/export-rules.ts';
import { packTeamConfig } from '../../engine/policy/pack-team-config.ts';
import { registryKey } from '../../engine/policy/rule-places.ts';
import {
  combineRules,
  describeRules,
  readManagedRules,
  readRegistryText,
  readTeamRules,
} from '../../engine/policy/team-rules.ts';
import { writeTeamSchema } from '../../engine/policy/team-schema.ts';

const root = join(import.meta.dirname, '../..');
const fixed = <Value>(value: Value) => ({ binding: 'fixed', value }) as const;

function openPlaces(files: Readonly<Record<string, object | string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'desk-rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value), {
      mode: 0o644,
    });
  return {
    readManaged: () => null,
    policyFile: join(folder, 'policy.json'),
    packed: join(folder, 'packed.json'),
    appFolder: [join(folder, 'team.json')],
  };
}

test('a stronger source replaces single rules of a weaker one; each keeps its source', () => {
  const places = openPlaces({
    'policy.json': { settings: { match_threshold: fixed(0.9) }, caps: { keys: { per_day: '5' } } },
    'packed.json': {
      organisation: 'Acme',
      settings: { match_threshold: fixed(0.7), infer_emails: { binding: 'default', value: true } },
      upstream: { address: 'https://desk.acme.example', is_local: true },
    },
    'team.json': {
      organisation: 'Other',
      upstream: { address: 'https://evil.example' },
      caps: { keys: { per_day: '900', per_call: '50' } },
    },
  });
  const managed = { place: 'registry', config: { updates: { mode: 'off' } } } as const;
  const rules = readTeamRules({ ...places, readManaged: () => managed });
  expect(rules.config).toEqual({
    organisation: 'Acme',
    settings: { match_threshold: fixed(0.9), infer_emails: { binding: 'default', value: true } },
    upstream: { address: 'https://desk.acme.example', is_local: true },
    caps: { keys: { per_day: '5', per_call: '50' } },
    updates: { mode: 'off' },
  });
  expect(
    rules.rules.map(({ path, is_locked: isLocked, source }) => [path, isLocked, source.kind]),
  ).toEqual([
    ['caps.keys.per_call', true, 'app_folder'],
    ['caps.keys.per_day', true, 'policy_file'],
    ['organisation', false, 'packed'],
    ['settings.infer_emails', false, 'packed'],
    ['settings.match_threshold', true, 'policy_file'],
    ['updates.mode', true, 'managed'],
    ['upstream', true, 'packed'],
  ]);
  expect(describeRules(rules)).toMatch(/^7 rules, 5 of them fixed, from registry, .*policy\.json/);
});

test('without any source nothing is ruled', () => {
  expect(readTeamRules(openPlaces({}))).toEqual({ config: {}, sources: [], rules: [] });
  expect(describeRules(combineRules([]))).toBe('sets no rules');
});

test.each(['policy.json', 'packed.json', 'team.json'])('a faulty %s is refused', (name) => {
  const places = openPlaces({ [name]: { settings: { match_threshold: fixed('high') } } });
  expect(() => readTeamRules(places)).toThrow(
    expect.objectContaining({
      code: 'policy_invalid',
      detail: expect.stringMatching(new RegExp(`${name}.*settings\\.match_threshold\\.value: `)),
    }),
  );
});

/** What `reg query` prints for a value. */
const printValue = (text: string) =>
  `\r\n${registryKey}\r\n    Policy    REG_SZ    ${text}\r\n\r\n`;

test('the registry of Windows gives the rules that a registry file has', () => {
  const config = { organisation: 'Łódź "Süd" \\ 1', updates: { mode: 'off' } } as const;
  const file = writeRegistryFile(config);
  expect(file).toContain('[HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Enrichment Desk]');
  const quoted = /^"Policy"="(.*)"$/m.exec(file.replaceAll('\r', ''))?.[1] ?? '';
  // The Registry Editor removes one level of backslashes.
  const stored = quoted.replace(/\\(["\\])/g, '$1');
  const asked: unknown[] = [];
  const run = (program: string, args: readonly string[]) => {
    asked.push(program.endsWith('\\System32\\reg.exe'), args);
    return printValue(stored);
  };
  const rules = readManagedRules({ platform: 'win32', exists: () => true, run });
  expect(rules).toEqual({ place: registryKey, config });
  expect(asked).toEqual([true, ['query', registryKey, '/v', 'Policy', '/reg:64']]);
  expect(readRegistryText('ERROR: nothing')).toBeNull();
  expect(readManagedRules({ platform: 'win32', exists: () => true, run: () => null })).toBeNull();
});

test('the managed preferences of macOS give the rules; a fault names their file', () => {
  const mac = { platform: 'darwin', exists: () => true } as const;
  const rules = readManagedRules({ ...mac, run: () => '{"organisation":"Acme"}\n' });
  expect(rules?.config).toEqual({ organisation: 'Acme' });
  expect(readManagedRules({ ...mac, exists: () => false, run: () => '{' })).toBeNull();
  expect(() => readManagedRules({ ...mac, run: () => '{"rates":{"L0":{}}}' })).toThrow(
    /invalid\.example\.enrichment-desk\.plist.*rates: /,
  );
  const fail = () => {
    throw new Error('plutil: timed out');
  };
  expect(() => readManagedRules({ ...mac, run: fail })).toThrow(/plutil: timed out/);
  expect(readManagedRules({ platform: 'linux', exists: () => true, run: fail })).toBeNull();
});

test('a property list has the rules as text', () => {
  const list = writePropertyList({ organisation: 'A & <B>' });
  expect(list).toContain('<string>{"organisation":"A &amp; &lt;B&gt;"}</string>');
});

test('the published schema is that of the product, and agrees with it about the example', () => {
  const text = readFileSync(join(root, 'resources/team-config.schema.json'), 'utf8');
  expect(JSON.parse(text)).toEqual(JSON.parse(writeTeamSchema()));
  const page = readFileSync(join(root, 'docs/team-configuration.md'), 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const check = new Ajv2020({ strict: false }).compile(JSON.parse(text));
  expect(check(JSON.parse(example))).toBe(true);
  expect(TeamConfigSchema.parse(JSON.parse(example))).toEqual(JSON.parse(example));
  expect(check({ settings: { match_threshold: 0.8 } })).toBe(false);
});

test('a build packs the configuration it is given, refuses a faulty one, and keeps no older one', () => {
  const { packed, policyFile, appFolder } = openPlaces({
    'policy.json': { organisation: 'Acme' },
    'team.json': { organisations: 'Acme' },
  });
  const resources = join(packed, '../resources');
  packTeamConfig(policyFile, resources);
  const target = join(resources, 'team.json');
  expect(readTeamRules({ ...openPlaces({}), packed: target }).config.organisation).toBe('Acme');
  expect(() => packTeamConfig(appFolder[0], resources)).toThrow(/organisations/);
  packTeamConfig(undefined, resources);
  expect(existsSync(target)).toBe(false);
});
