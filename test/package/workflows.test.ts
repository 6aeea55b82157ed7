// The workflows and templates: what they name exists, actions are pinned, rights are least.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import {
  convertWorkflowTemplate,
  NoOperationTraceWriter,
  parseWorkflow,
} from '@actions/workflow-parser';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { launch, scratch } from '../launch.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { scripts } = JSON.parse(read('package.json'));

interface Step {
  uses?: string;
  run?: string;
  shell?: string;
  name?: string;
  if?: string;
  with?: Record<string, unknown>;
}
interface Job {
  steps?: Step[];
  uses?: string;
  permissions?: Record<string, string>;
  'timeout-minutes'?: number;
  needs?: string | string[];
  strategy?: { matrix: { os?: string[]; include?: { runner: string; name: string }[] } };
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}
const names = ['check', 'release'] as const;
const workflows = Object.fromEntries(
  names.map((name) => [name, parse(read(`.github/workflows/${name}.yml`)) as Workflow]),
) as Record<(typeof names)[number], Workflow>;
const jobsOf = (name: (typeof names)[number]) => Object.entries(workflows[name].jobs);
const stepsOf = (name: (typeof names)[number]) =>
  jobsOf(name).flatMap(([, job]) => job.steps ?? []);
const lines = names.flatMap((name) => stepsOf(name).flatMap(({ run }) => run?.split('\n') ?? []));

/** What GitHub's own parser refuses in a workflow: keys, values, expressions, their contexts. */
async function findMistakes(content: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: 'w', content }, new NoOperationTraceWriter());
  if (value) await convertWorkflowTemplate(context, value, undefined, {});
  return context.errors.getErrors().map(({ message }) => message);
}

test.each(names)('GitHub can read the workflow %s', async (name) => {
  expect(await findMistakes(read(`.github/workflows/${name}.yml`))).toEqual([]);
});

test.each([
  ['an unknown key', 'timeout-minutes: 60', 'timeout-minute: 60'],
  ['an expression', "runner.os == 'Linux'", "runner.os = 'Linux'"],
  ['a context that the place does not have', 'matrix.os }}', 'steps.os }}'],
  ['a value of another type', 'contents: read', 'contents: some'],
])('a mistake in a workflow is found: %s', async (_case, right, wrong) => {
  const content = read('.github/workflows/check.yml');
  expect(content).toContain(right);
  expect(await findMistakes(content.replaceAll(right, wrong))).not.toEqual([]);
});

test('every script of a step is one that its shell can read', { tags: ['posix'] }, () => {
  const steps = names.flatMap(stepsOf).filter(({ run }) => run !== undefined);
  const scripts = steps.filter(({ shell }) => shell !== 'pwsh');
  expect(scripts.length).toBeGreaterThan(20);
  for (const { run = '' } of scripts) {
    // The values that GitHub inserts are words.
    const input = run.replaceAll(/\$\{\{.*?\}\}/g, 'word');
    expect(spawnSync('bash', ['-n'], { input, encoding: 'utf8' }).stderr).toBe('');
  }
  // A machine with Windows has another shell unless a step names it.
  const ofWindows = steps.filter((step) => step.if?.includes("'Windows'"));
  expect(ofWindows.filter(({ shell }) => shell === undefined)).toEqual([]);
});

test('every npm script that a workflow runs exists', () => {
  const run = lines.flatMap((line) => [...line.matchAll(/npm (?:run ([\w:]+)|(test))/g)]);
  const used = new Set(run.map(([, named, test]) => named ?? test ?? ''));
  expect([...used].sort()).toEqual(['make', 'pack', 'smoke', 'test', 'test:pack']);
  expect([...used].filter((name) => !(name in scripts))).toEqual([]);
});

test('every file that a workflow runs or calls exists', () => {
  const run = lines.flatMap((line) => [...line.matchAll(/node ((?:scripts|node_modules)\/\S+)/g)]);
  const called = names.flatMap((name) => jobsOf(name).flatMap(([, { uses }]) => uses ?? []));
  const paths = [...run.map(([, path = '']) => path), ...called];
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every action is pinned by its commit, with its version as a comment', () => {
  const uses = names.flatMap((name) => [
    ...read(`.github/workflows/${name}.yml`).matchAll(/uses: (?!\.\/)(.*)$/gm),
  ]);
  expect(uses.length).toBeGreaterThan(8);
  for (const [, action] of uses) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d/);
});

test('only the job that publishes may write, and no step keeps the credentials', () => {
  expect(workflows.check.permissions).toEqual({ contents: 'read' });
  expect(workflows.release.permissions).toEqual({});
  for (const [name, { permissions }] of jobsOf('release'))
    expect(permissions).toEqual(
      name === 'publish'
        ? { contents: 'write', 'id-token': 'write', attestations: 'write' }
        : { contents: 'read' },
    );
  for (const name of names)
    for (const step of stepsOf(name).filter(({ uses }) => uses?.startsWith('actions/checkout@')))
      expect(step.with).toEqual({ 'persist-credentials': false });
});

test('no command contains a value that somebody outside can set', () => {
  const inserted = lines.flatMap((line) => [...line.matchAll(/\$\{\{\s*([^}]*?)\s*\}\}/g)]);
  expect([...new Set(inserted.map(([, value]) => value))]).toEqual([
    'matrix.shard',
    'matrix.program',
  ]);
});

test('every job that has steps ends in time', () => {
  const endless = names.flatMap((name) =>
    jobsOf(name).filter(([, job]) => job.steps && job['timeout-minutes'] === undefined),
  );
  expect(endless).toEqual([]);
});

test('the check runs on the three systems, on Electron, and the release waits for it', () => {
  expect(workflows.check.jobs.test?.strategy?.matrix.os).toEqual([
    'ubuntu-24.04',
    'macos-15',
    'windows-2025',
  ]);
  expect(read('.github/workflows/check.yml')).toContain('DESK_EXPECT_HOST: electron');
  expect(workflows.release.jobs.installers?.needs).toBe('check');
  expect(workflows.release.jobs.package?.needs).toBe('check');
  expect(workflows.release.jobs.installed?.needs).toBe('installers');
  expect(workflows.release.jobs.publish?.needs).toEqual(['installers', 'installed', 'package']);
});

test('where the check expects Electron, a test of the shell refuses the stand-in', () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('DESK_HOST', 'double');
  vi.stubEnv('DESK_EXPECT_HOST', 'electron');
  expect(() => launch('unused')).toThrow('Electron is expected here');
});

test('the list of components has the packages of every system, not only those installed here', () => {
  const line = lines.find((one) => one.includes('npm sbom')) ?? '';
  const [command = ''] = line.split('>');
  const { stdout } = spawnSync(command, { cwd: root, encoding: 'utf8', shell: true });
  const listed = (JSON.parse(stdout).components as { name: string }[]).map(({ name }) => name);
  const natives = ['darwin-arm64', 'darwin-x64', 'win32-x64-msvc', 'linux-x64-gnu'];
  expect(listed).toEqual(
    expect.arrayContaining(natives.map((system) => `@napi-rs/keyring-${system}`)),
  );
});

test('the packed feed unpacks into the folder that the apps ask', () => {
  using place = scratch();
  const packed = 'out/release/feed.tar.gz';
  mkdirSync(join(place.dir, 'out/feed/mac/arm64'), { recursive: true });
  mkdirSync(join(place.dir, 'out/release'));
  writeFileSync(join(place.dir, 'out/feed/mac/arm64/latest-mac.yml'), '');
  const command = lines.find((line) => line.startsWith('tar ')) ?? '';
  const list = `${command} && tar --list --file ${packed}`;
  const { stdout } = spawnSync(list, { cwd: place.dir, encoding: 'utf8', shell: true });
  expect(stdout.split('\n')).toContain('./mac/arm64/latest-mac.yml');
});

test('a checkout on Windows has the bytes of the repository', () => {
  using place = scratch();
  const run = (cwd: string, ...args: string[]) =>
    spawnSync('git', args, { cwd, encoding: 'utf8' }).stdout;
  // As `git checkout` writes files where Git is set up to write CRLF.
  run(root, '-c', 'core.autocrlf=true', 'checkout-index', '--all', `--prefix=${place.dir}/`);
  const folders = [`--git-dir=${run(root, 'rev-parse', '--absolute-git-dir').trim()}`];
  const list = run(place.dir, ...folders, '--work-tree=.', 'ls-files', '--eol');
  const endings = [...list.matchAll(/^i\/(\S+) +w\/(\S+).*\t(.*)$/gm)];
  expect(endings.length).toBeGreaterThan(1_000);
  const changed = endings.filter(([, inIndex, written]) => inIndex !== written);
  expect(changed.map(([, , , path]) => path)).toEqual([]);
  // One of the fixtures has both endings on purpose.
  expect(endings.map(([, inIndex]) => inIndex)).toContain('mixed');
});

test('a release has installers for every system and processor, each tried on its own system', () => {
  const { installers, installed } = workflows.release.jobs;
  const listed = (job?: Job) =>
    Object.fromEntries(
      (job?.strategy?.matrix.include ?? []).map(({ name, runner }) => [name, runner]),
    );
  const tried = {
    'mac-arm64': 'macos-15',
    'mac-x64': 'macos-15-intel',
    'win-x64': 'windows-2025',
    'win-arm64': 'windows-11-arm',
    'linux-x64': 'ubuntu-24.04',
    'linux-arm64': 'ubuntu-24.04-arm',
  };
  expect(listed(installed)).toEqual(tried);
  // The signing program of Azure runs on x64.
  expect(listed(installers)).toEqual({ ...tried, 'win-arm64': 'windows-2025' });
});

test('the job that publishes takes every part of the release, and no older app', () => {
  const { installers, package: npm, publish } = workflows.release.jobs;
  const uploads = [installers, npm].flatMap((job) =>
    (job?.steps ?? []).filter(({ uses }) => uses?.startsWith('actions/upload-artifact@')),
  );
  const parts = installers?.strategy?.matrix.include?.map(({ name }) => name) ?? [];
  const uploaded = uploads.flatMap(({ with: { name = '' } = {} }) =>
    String(name).includes('matrix.name')
      ? parts.map((part) => String(name).replace(/\$\{\{.*\}\}/, part))
      : [String(name)],
  );
  expect(uploaded).toHaveLength(2 * parts.length + 1);
  const download = publish?.steps?.find(({ uses }) => uses?.startsWith('actions/download-'));
  const pattern = String(download?.with?.pattern);
  const taken = uploaded.filter((name) => matchesGlob(name, pattern));
  expect(taken.sort()).toEqual([...parts, 'npm'].sort());
});

test('each kind of installer is used as it was downloaded, and updates itself where it can', () => {
  const steps = workflows.release.jobs.installed?.steps ?? [];
  const used = steps.filter(({ run }) => run?.includes('use-app.mjs')).map(({ run = '' }) => run);
  for (const kind of ['*.deb', '*.rpm', '*.AppImage', '*.exe', '*.zip', '*.dmg'])
    expect(used.filter((run) => run.includes(`dist/${kind}`))).toHaveLength(1);
  const updated = steps.filter(({ run }) => run?.includes('update-app.mjs'));
  expect(updated.map(({ if: system }) => system)).toEqual(
    ['Linux', 'Windows', 'macOS'].map((system) => `runner.os == '${system}'`),
  );
});

test('docs/release.md names every secret and variable of the release, and no other', () => {
  const text = read('.github/workflows/release.yml');
  const used = [...text.matchAll(/(?:secrets|vars)\.(\w+)/g)].map(([, name]) => name);
  const table = read('docs/release.md').matchAll(/^\| `(\w+)` \| (?:secret|variable) \|/gm);
  expect([...table].map(([, name]) => name).sort()).toEqual([...new Set(used)].sort());
});

test('Dependabot watches packages, actions and the base image', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  const watched = updates.map((one: Record<string, string>) => [
    one['package-ecosystem'],
    one.directory,
  ]);
  expect(watched).toEqual([
    ['npm', '/'],
    ['github-actions', '/'],
    ['docker', '/deploy'],
  ]);
  expect(existsSync(join(root, 'deploy/Dockerfile'))).toBe(true);
});

test('the forms for issues are complete', () => {
  const forms = readdirSync(join(root, '.github/ISSUE_TEMPLATE')).filter((n) => n !== 'config.yml');
  expect(forms).toEqual(['bug.yml', 'idea.yml']);
  for (const form of forms) {
    const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`));
    expect([typeof name, typeof description, Array.isArray(body)]).toEqual([
      'string',
      'string',
      true,
    ]);
  }
  expect(existsSync(join(root, '.github/PULL_REQUEST_TEMPLATE.md'))).toBe(true);
});
