/**
 * Every command of docs/api.md runs, in order, with the documented response.
 * @module-tag full
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deskProgram } from '../desk-program.ts';
import { type EngineProcess, startEngineProcess } from '../engine-process.ts';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
const address = 'http://127.0.0.1:43117';

/** A block of commands under its heading, and the responses after it. */
interface Example {
  readonly heading: string;
  readonly commands: string;
  readonly answers: readonly unknown[];
}

/** JSON values of a text, one after the other, each on its own lines. */
function readValues(text: string): unknown[] {
  const values: unknown[] = [];
  let pending = '';
  for (const line of text.split('\n')) {
    if (pending === '' && !/^[{[]/.test(line)) continue;
    pending += line;
    try {
      values.push(JSON.parse(pending));
      pending = '';
    } catch {
      // The value continues in the next line.
    }
  }
  return values;
}

/** A response is in the block right after the commands, under the same heading. */
function listExamples(): Example[] {
  const examples: Example[] = [];
  let heading = '';
  let last: { commands: string; answers: unknown[]; heading: string } | null = null;
  for (const [, title, kind, text = ''] of page.matchAll(
    /^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm,
  )) {
    if (title !== undefined) heading = title;
    if (kind === 'sh') {
      last = { heading, commands: text, answers: [] };
      examples.push(last);
    } else {
      if (kind === 'json') last?.answers.push(...readValues(text));
      last = null;
    }
  }
  return examples;
}

/** Objects whose keys are data, not field names. */
const maps = /\.(enriched_fields|provenance|fill_rate|reasons|layer_status)$/;
/** Fields whose exact value is documented. */
const exact = /\.(success|error|code|credits_needed|price\w*|subtotal|row_count)$/;

/** How a response differs from the page; null if it does not. */
function findDifference(shown: unknown, found: unknown, at = 'answer'): string | null {
  if (shown === null || found === null) return null;
  if (Array.isArray(shown) && Array.isArray(found))
    return shown.length && found.length
      ? findDifference(shown[0], found[0], `${at}[0]`)
      : shown.length === found.length
        ? null
        : `${at}: ${shown.length} entries are shown, ${found.length} came`;
  if (typeof shown !== typeof found) return `${at}: ${typeof found}, shown as ${typeof shown}`;
  if (typeof shown !== 'object')
    return exact.test(at) && shown !== found ? `${at}: ${found}, shown as ${shown}` : null;
  const [names, came] = [shown, found].map((value) => Object.keys(value as object).sort()) as [
    string[],
    string[],
  ];
  if (!maps.test(at) && names.join() !== came.join())
    return `${at}: has ${came}, shown with ${names}`;
  for (const name of names) {
    const inner = (value: unknown) => (value as Record<string, unknown>)[name] ?? null;
    const difference = findDifference(inner(shown), inner(found), `${at}.${name}`);
    if (difference) return difference;
  }
  return null;
}

const examples = listExamples();
const folder = mkdtempSync(join(tmpdir(), 'desk-api-'));
const mark = '@@ block ';
let engine: EngineProcess;
let outputs: string[] = [];

beforeAll(async () => {
  engine = await startEngineProcess(join(folder, 'data'));
  const desk = `${process.execPath} "${deskProgram}"`;
  const script = examples
    .map(({ commands }) => `echo; echo "${mark}"\n${commands}`)
    .join('\n')
    .replaceAll(address, engine.url)
    .replaceAll('npm run --silent desk --', desk);
  const env = { ...process.env, DESK_DATA_DIR: join(folder, 'data') };
  const options = { cwd: folder, env, encoding: 'utf8' } as const;
  const done = spawnSync('bash', ['-euo', 'pipefail', '-c', script], options);
  expect(done.status, `${done.stdout.slice(-2_000)}\n${done.stderr.slice(-2_000)}`).toBe(0);
  outputs = done.stdout.split(`${mark}\n`).slice(1);
}, 120_000);
afterAll(async () => {
  await engine?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(examples.map((example, at) => ({ ...example, at })))('$heading', (example) => {
  test(`example ${example.at + 1} has the documented response`, () => {
    const output = outputs[example.at] ?? '';
    // curl writes no line break after a response.
    const found = readValues(output.replaceAll('}{', '}\n{'));
    const { answers } = example;
    expect(found.length, output).toBeGreaterThanOrEqual(answers.length);
    const last = answers.length ? found.slice(-answers.length) : [];
    const differences = answers.map((shown, at) => findDifference(shown, last[at]));
    expect(differences.filter((difference) => difference !== null)).toEqual([]);
  });
});

test('every route of the description has commands on the page, except the older paths', async () => {
  const response = await fetch(`${engine.url}/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, object>> };
  const commands = examples.map((example) => example.commands).join('\n');
  const missing = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/api/v1/enrichment/'))
    .filter(([path]) => {
      const pattern = path.replace(/\/$/, '').replace(/\{\w+\}/g, '\\$\\w+');
      return !new RegExp(`(\\$DESK|\\$DESK/staging)${pattern}(/|["?\\s]|$)`, 'm').test(commands);
    })
    .map(([path]) => path);
  expect(missing).toEqual([]);
});

test.each([
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: '1' }],
  [{ error: 'x' }, { error: 'y' }],
  [[1], []],
])('the difference between %j and the documented %j is found', (shown, found) => {
  expect(findDifference(shown, found)).not.toBeNull();
});
