// The built engine without source files starts, serves, and does the main job.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { scratch } from './launch.ts';

const root = resolve(import.meta.dirname, '..');
const program = join(root, 'out/engine/main.js');
const runDesk = (cwd: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [program, ...args, '--data-dir', 'data'], { cwd });

test('the bundles import Node, each other, and the modules of a package, and nothing else', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const packed = new Set([...Object.keys(dependencies), 'electron']);
  const files = globSync('out/{engine,main}/**/*.js', { cwd: root });
  expect(files.length).toBeGreaterThan(10);
  const others = files.flatMap((file) => {
    const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'));
    const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
    return imported
      .filter((name) => !isBuiltin(name) && !name.startsWith('.') && !packed.has(name))
      .map((name) => `${file}: ${name}`);
  });
  expect(others).toEqual([]);
});

test('the built engine answers at the address of its ready line and ends on request', {
  tags: ['posix'],
}, async () => {
  using place = scratch();
  const serve = ['serve', '--json', '--port', '0', '--data-dir', place.dir];
  const engine = spawn(process.execPath, [program, ...serve], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(engine, 'exit');
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: engine.stdout }), 'line'),
      exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    ]);
    const ready = JSON.parse(line) as { event: string; url: string; open_url: string };
    expect(ready.event).toBe('ready');
    expect(ready.open_url.startsWith(`${ready.url}/`)).toBe(true);
    const page = await fetch(ready.url);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const html = await page.text();
    expect(html).not.toContain('__CSP_NONCE__');
    const script = html.match(/src="(\/assets\/index-[^"]+\.js)"/)?.[1] ?? '';
    const code = await fetch(ready.url + script, { headers: { 'accept-encoding': 'br' } });
    expect(code.headers.get('content-type')).toContain('javascript');
    expect(code.headers.get('content-encoding')).toBe('br');
    const refused = await fetch(`${ready.url}/api/v1/data-enrichment/layers/`);
    expect(refused.status).toBe(401);
  } finally {
    engine.kill('SIGTERM');
  }
  expect((await exited)[0]).toBe(0);
});

test('the built command line imports a list and enriches another with it', async () => {
  using place = scratch();
  writeFileSync(
    join(place.dir, 'people.csv'),
    'first_name,last_name,company_name,email,title\n' +
      'Ada,Lovelace,Acme Analytics,ada@acme-analytics.example,Engineer\n',
  );
  writeFileSync(
    join(place.dir, 'in.csv'),
    'Email,Note\nada@acme-analytics.example,kept\nnobody@else.example,\n',
  );
  await runDesk(place.dir, 'directory', 'import', 'people.csv', '--json');
  const run = ['enrich', 'in.csv', '--layers', 'L1', '--out', 'out.csv', '--yes', '--json'];
  const { stdout } = await runDesk(place.dir, ...run);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    status: 'completed',
    total_rows: 2,
    enriched_rows: 1,
    credits_charged: '1.0000',
  });
  const [header, ada, nobody] = readFileSync(join(place.dir, 'out.csv'), 'utf8').split('\r\n');
  expect(header).toMatch(/^Email,Note,First name,/);
  expect(ada).toMatch(/^ada@acme-analytics\.example,kept,Ada,Lovelace,Acme Analytics,Engineer,/);
  expect(nobody).toMatch(/skipped,no_match,,0\.0000$/);
});
