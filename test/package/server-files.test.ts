// The service unit and the container files of a shared engine name what exists, and harden it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseLine } from '../../engine/cli/parse-line.ts';
import { portDefault } from '../../engine/contract/limits/platform.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const unit = read('deploy/enrichment-desk.service');

test('the unit runs a command of the program, as a user of its own', async () => {
  const [, program, line = ''] = /^ExecStart=(\S+) (.*)$/m.exec(unit) ?? [];
  expect(program).toBe('/usr/local/bin/desk');
  expect((await parseLine(line.split(' '))).command?.name).toBe('serve');
  expect(unit).toMatch(/^User=enrichment-desk$/m);
  expect(unit).toMatch(/^Environment=DESK_DATA_DIR=\/var\/lib\/enrichment-desk$/m);
  expect(unit).toMatch(/^StateDirectory=enrichment-desk$/m);
});

test.each([
  ['NoNewPrivileges', 'yes'],
  ['CapabilityBoundingSet', ''],
  ['ProtectSystem', 'strict'],
  ['ProtectHome', 'yes'],
  ['PrivateDevices', 'yes'],
  ['PrivateTmp', 'yes'],
  ['StateDirectoryMode', '0700'],
  ['UMask', '0077'],
  ['LimitCORE', '0'],
])('the unit has %s=%s', (name, value) => {
  expect(unit.split('\n')).toContain(`${name}=${value}`);
});

test('systemd accepts every line of the unit, where it is installed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'desk-unit-'));
  try {
    const path = join(dir, 'enrichment-desk.service');
    // The program need not be installed here.
    writeFileSync(path, unit.replace('/usr/local/bin/desk', process.execPath));
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', path], {
      encoding: 'utf8',
    });
    if (verified.error) return console.log('systemd-analyze is not installed: not verified');
    expect(verified.stderr).toBe('');
    expect(verified.status).toBe(0);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('the container files name files that exist, no root, and the port of the engine', () => {
  const image = read('deploy/Dockerfile');
  expect(image).toMatch(/^FROM node:24-/m);
  expect(image.indexOf('\nUSER desk')).toBeLessThan(image.indexOf('\nENTRYPOINT ["desk"]'));
  expect(image).toContain(`http://127.0.0.1:${portDefault}/healthz`);
  expect(image).toContain('COPY dist/enrichment-desk-*.tgz');
  const compose = read('deploy/compose.yml');
  for (const [, path = ''] of compose.matchAll(/(?:dockerfile: |- \.\/)([\w./]+)/g))
    expect(existsSync(join(root, path.includes('/') ? path : `deploy/${path}`))).toBe(true);
  expect(read('deploy/Caddyfile').split(`127.0.0.1:${portDefault}`)).toHaveLength(2);
  // Caddy keeps the host, which the engine then must know.
  expect(read('deploy/Caddyfile')).not.toContain('header_up');
  expect(compose).toMatch(/command: \["serve", "--public-url", "https:\/\/\$\{DESK_HOST/);
});

interface ComposeFile {
  readonly services: Readonly<
    Record<string, { readonly command?: readonly string[]; readonly [field: string]: unknown }>
  >;
}

test('the files of a team’s directory are YAML, ask for a password on the shared loopback, and run a command of the program', async () => {
  const { services } = parse(read('deploy/team-directory.yml')) as ComposeFile;
  const { engine } = (parse(read('deploy/compose.yml')) as ComposeFile).services;
  const { postgres, worker } = services;
  for (const one of [postgres, worker]) expect(one?.network_mode).toBe('service:engine');
  // The image trusts 127.0.0.1 by default.
  expect(postgres?.environment).toMatchObject({
    POSTGRES_INITDB_ARGS: '--auth-host=scram-sha-256 --auth-local=scram-sha-256',
  });
  expect((await parseLine([...(worker?.command ?? [])])).command?.name).toBe('shared worker');
  expect(engine?.ulimits).toEqual({ core: 0 });
  for (const field of ['read_only', 'tmpfs', 'cap_drop', 'security_opt', 'ulimits'])
    expect([field, worker?.[field]]).toEqual([field, engine?.[field]]);
});
