// The npm package: the built engine and interface with a manifest of their own.
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nodeEnvironment } from '../../engine/contract/limits/platform.ts';

/** Built folders that the package contains. Main and preload belong to Electron. */
const builtFolders = ['engine', 'renderer', 'resources'];
/** Files of a build that only Electron, a debugger or one organisation reads. */
const leftOut = [/\.map$/, /^out\/engine\/utility\.js$/, /^out\/resources\/team\.json$/];
/** Files with another place in the package than in the project. */
const placed = {
  'bin/desk.mjs': 'scripts/npm-package/desk.mjs',
  'README.md': 'scripts/npm-package/README.md',
  LICENSE: 'LICENSE',
  'THIRD-PARTY-NOTICES.txt': 'out/third-party-notices.txt',
};

/**
 * The files of the package: for each path in it the path in the project.
 * @param {string} root the project, built
 * @returns {Record<string, string>}
 */
export function listPackageFiles(root) {
  const built = builtFolders.flatMap((folder) =>
    readdirSync(join(root, 'out', folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
      .map((path) => path.replaceAll('\\', '/')),
  );
  const kept = built.filter((path) => !leftOut.some((pattern) => pattern.test(path)));
  return { ...Object.fromEntries(kept.sort().map((path) => [path, path])), ...placed };
}

/**
 * The name of the tool server in the registry of the Model Context Protocol: the reversed host of
 * the homepage, which the registry verifies by DNS, and the name of the package.
 */
const nameServer = ({ name, homepage }) =>
  `${new URL(homepage).hostname.split('.').reverse().join('.')}/${name}`;

/**
 * The entry of the registry of the Model Context Protocol (server.json) for the published package.
 * @param {Record<string, unknown>} project the project's package.json
 */
export const writeServerEntry = (project) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: nameServer(project),
  title: project.productName,
  description:
    'Search, enrich, review and save business contacts of your own lists, on this machine',
  version: project.version,
  websiteUrl: project.homepage,
  packages: [
    {
      registryType: 'npm',
      identifier: project.name,
      version: project.version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
    },
  ],
});

/**
 * The package's own manifest. It has no scripts, and only the two native modules are dependencies:
 * everything else is in the bundles.
 * @param {Record<string, unknown>} project the project's package.json
 */
export function writePackageManifest(project) {
  const { name, version, description, author, homepage, license, dependencies } = project;
  return {
    name,
    mcpName: nameServer(project),
    version,
    description,
    author,
    homepage,
    license,
    type: 'module',
    engines: { node: '>=24' },
    bin: { desk: 'bin/desk.mjs' },
    dependencies,
  };
}

export const writeJson = (path, value) =>
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

/** Writes the package's folder. */
export function stagePackage(root, folder) {
  for (const [to, from] of Object.entries(listPackageFiles(root))) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    cpSync(join(root, from), join(folder, to));
  }
  const program = join(folder, 'bin/desk.mjs');
  writeFileSync(program, `#!/usr/bin/env node\n${readFileSync(program, 'utf8')}`);
  chmodSync(program, 0o755);
  writeJson(join(folder, 'environment.json'), nodeEnvironment);
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeJson(join(folder, 'package.json'), writePackageManifest(project));
}
