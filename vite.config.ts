// Builds the bundles of the app (page, main, preload, engine, and the one for Claude Desktop), and
// serves the page in dev.
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type EnvironmentOptions, type Plugin, parseSync, Visitor } from 'vite';
import { type WorkerName, workerEntries } from './engine/platform/workers/worker-entries.ts';
import { packTeamConfig } from './engine/policy/pack-team-config.ts';
import { readAppId } from './engine/policy/rule-places.ts';
import { recordBuild } from './scripts/build-stamp.mjs';
import { compressFiles } from './scripts/compress-files.mjs';
import { escapeNonAscii } from './scripts/escape-non-ascii.mjs';
import { packBundle } from './scripts/mcpb.mjs';
import { listBundledFolders, writeNotices } from './scripts/third-party-notices.mjs';

const at = (path: string) => resolve(import.meta.dirname, path);
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };
const external = ['electron', 'better-sqlite3', '@napi-rs/keyring'];

/** How the files of a Node-side bundle are written. */
interface BundleOptions {
  readonly format?: 'es' | 'cjs';
  /** No chunks, also not for what is imported later. Takes one entry. */
  readonly isOneFile?: boolean;
  /** Other bundles are in the folder already. */
  readonly keepsFolder?: boolean;
  /** Packages that are bundles of their own in the folder, by the names of their files. */
  readonly shared?: Readonly<Record<string, string>>;
}

/**
 * Packages that are one file for all bundles of the engine: in each of them they would take 0.3 and
 * 0.1 MB. got is loaded with the first request, as it loads Node's HTTP.
 */
const sharedPackages = { got: './got.js', hyparquet: './hyparquet.js' };

/** One Node-side bundle. Everything is in it but Electron itself and the two native modules. */
const bundleNode = (
  input: Record<string, string>,
  outDir: string,
  {
    format = 'es',
    isOneFile = false,
    keepsFolder = false,
    shared = sharedPackages,
  }: BundleOptions = {},
): EnvironmentOptions => ({
  consumer: 'server',
  resolve: {
    noExternal: true,
    // Not the shared packages: it would also leave out their inner files, which no package has.
    external,
    conditions: ['node'],
  },
  build: {
    outDir: at(outDir),
    emptyOutDir: !keepsFolder,
    target: 'node24',
    sourcemap: true,
    copyPublicDir: false,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, at(path)])),
      external: [...external, ...Object.keys(shared), /^electron\//, /^node:/],
      output: {
        format,
        // Names stay, for the stacks in logs. Threads compile and keep a sixth less without spaces.
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
        paths: shared,
        entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
        // Chunks are in the folder of the entries, so relative paths are the same in both.
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: !isOneFile,
        // Licences stay. Every thread keeps a copy of the source of its modules.
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});

/** The threads that every engine or every job starts. */
const frequentThreads: readonly WorkerName[] = [
  'writer-thread',
  'reader-thread',
  'directory-thread',
  'match-thread',
  'file-thread',
];

/**
 * The bundles of the engine's threads. A frequent thread is one file: as a part of one build with
 * the command line, it would look up, read and link up to 125 shared chunks at each start. The
 * others share chunks among themselves, which takes less space.
 */
function bundleThreads(): Record<string, EnvironmentOptions> {
  const entries = Object.entries(workerEntries) as [WorkerName, string][];
  const others = entries.filter(([name]) => !frequentThreads.includes(name));
  const ownFile = { isOneFile: true, keepsFolder: true };
  return {
    ...Object.fromEntries(
      frequentThreads.map((name) => [
        name.replaceAll('-', '_'),
        bundleNode({ [name]: workerEntries[name] }, 'out/engine', ownFile),
      ]),
    ),
    threads: bundleNode(Object.fromEntries(others), 'out/engine', { keepsFolder: true }),
  };
}

/**
 * Copies the files that the engine reads at run time next to its bundle, where
 * engine/platform/paths.ts expects them.
 */
const copyEngineFiles = (): Plugin => ({
  name: 'copy-engine-files',
  applyToEnvironment: (environment) => environment.name === 'engine',
  closeBundle() {
    const copies = [
      ['engine/migrations', 'out/engine/migrations/store'],
      ['engine/directory/migrations', 'out/engine/migrations/directory'],
      ['engine/shared/migrations', 'out/engine/migrations/shared'],
      ['resources', 'out/resources'],
    ] as const;
    for (const [from, to] of copies)
      if (existsSync(at(from)))
        cpSync(at(from), at(to), { recursive: true, filter: (path) => !path.endsWith('.ts') });
    packTeamConfig(process.env.DESK_TEAM_CONFIG, at('out/resources'));
  },
});

/**
 * Writes the bundles that Node runs in ASCII. V8 keeps the source of a module that has any other
 * character in two bytes a character, and each thread has a copy.
 */
const writeAscii = (): Plugin => ({
  name: 'write-ascii',
  applyToEnvironment: (environment) => environment.config.consumer === 'server',
  // After the last step of the bundler, which prints the code again. Lines stay as they are.
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk') file.code = escapeNonAscii(file.code);
  },
});

/** What the page does not read of a call: its documentation, and how the engine answers it. */
const leftOut: Readonly<Record<string, string>> = {
  docs: 'ObjectExpression',
  api: 'Literal',
  statuses: 'ArrayExpression',
};

/**
 * Leaves the descriptions of schemas and parts of calls out of the page: the first screen waits for
 * every byte.
 */
const dropDescriptions = (): Plugin => ({
  name: 'drop-descriptions',
  enforce: 'pre',
  applyToEnvironment: (environment) => environment.config.consumer === 'client',
  transform: {
    filter: { id: /\/engine\/contract\/.*\.ts$/ },
    handler(code, id) {
      const dropped: [from: number, to: number][] = [];
      new Visitor({
        CallExpression({ callee, arguments: given, end }) {
          if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
          if (!/^(describe|meta)$/.test(callee.property.name) || given.length !== 1) return;
          dropped.push([callee.object.end, end]);
        },
        Property({ key, value, start, end }) {
          if (key.type !== 'Identifier' || leftOut[key.name] !== value.type) return;
          dropped.push([start, code[end] === ',' ? end + 1 : end]);
        },
      }).visit(parseSync(id, code).program);
      let kept = code;
      for (const [from, to] of dropped.sort((a, b) => b[0] - a[0]))
        kept = kept.slice(0, from) + kept.slice(to);
      return { code: kept, map: null };
    },
  },
});

/** Compresses the files of the page, so that the engine need not do it for every request. */
const compressPage = (): Plugin => ({
  name: 'compress-page',
  applyToEnvironment: (environment) => environment.name === 'client',
  closeBundle() {
    if (this.environment.mode === 'build') compressFiles(at('out/renderer'));
  },
});

/** Packs what was built for Claude Desktop, for the page to offer. It is built last. */
const packAssistantBundle = (): Plugin => ({
  name: 'pack-assistant-bundle',
  applyToEnvironment: (environment) => environment.name === 'mcpb',
  closeBundle() {
    packBundle({
      serverDir: at('out/mcpb'),
      version: manifest.version,
      path: at('out/renderer/enrichment-desk.mcpb'),
    });
  },
});

const devPort = Number(process.env.DESK_DEV_PORT ?? 5173);
const engineUrl = process.env.DESK_ENGINE_URL ?? 'http://127.0.0.1:43118';
// The engine refuses the origin of another server, so the proxy speaks as the engine's own page.
const toEngine = { target: engineUrl, changeOrigin: true, headers: { origin: engineUrl } };

/** The page documents nothing: examples of the API description are left out of its code. */
const leaveOutExamples = (): Plugin => ({
  name: 'leave-out-examples',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /engine\/contract\/examples\.ts$/ },
    handler: (code) =>
      [...code.matchAll(/^export const (\w+)/gm)]
        .map(([, name]) => `export const ${name} = null;`)
        .join('\n'),
  },
});

export default defineConfig({
  root: at('renderer'),
  plugins: [
    dropDescriptions(),
    react(),
    leaveOutExamples(),
    writeAscii(),
    copyEngineFiles(),
    compressPage(),
    packAssistantBundle(),
  ],
  define: {
    __DESK_VERSION__: JSON.stringify(manifest.version),
    __DESK_APP_ID__: JSON.stringify(readAppId()),
    __DESK_UPDATES__: JSON.stringify({
      feed: process.env.DESK_UPDATE_FEED || null,
      key: process.env.DESK_UPDATE_KEY || null,
    }),
  },
  // The server of the page replaces this placeholder with a new nonce in every response.
  html: { cspNonce: '__CSP_NONCE__' },
  environments: {
    client: {
      build: {
        outDir: at('out/renderer'),
        emptyOutDir: true,
        target: 'chrome140',
        sourcemap: false,
        // Bytes before compression; test/page-size.test.ts limits the compressed ones.
        chunkSizeWarningLimit: 1_000,
        // The engine is on this machine: the list of every screen's files would cost more than it
        // saves.
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_file, files) => files.filter((file) => file.endsWith('.css')),
        },
        rolldownOptions: {
          input: { index: at('renderer/index.html'), docs: at('renderer/docs.html') },
          output: {
            // What the first screen waits for is one file, which compresses better than forty.
            codeSplitting: {
              groups: [
                // The API reference is another page, with the same font.
                { name: 'font', test: /@fontsource/, priority: 2 },
                { name: 'docs', test: /\/renderer\/(?:reference\/|docs\.html)/, priority: 2 },
                { name: 'frame', tags: ['$initial'], priority: 1 },
                // A screen shares most of its parts with others: one file instead of fifty.
                { name: 'shared', minShareCount: 4, priority: 0 },
              ],
            },
          },
        },
      },
    },
    main: bundleNode({ index: 'main/index.ts' }, 'out/main'),
    // A sandboxed preload cannot load a second file.
    preload: bundleNode({ preload: 'main/preload.ts' }, 'out/preload', {
      format: 'cjs',
      isOneFile: true,
    }),
    engine: bundleNode(
      { main: 'engine/cli/main.ts', utility: 'engine/app/utility.ts' },
      'out/engine',
    ),
    ...bundleThreads(),
    got: bundleNode({ got: 'node_modules/got/dist/source/index.js' }, 'out/engine', {
      isOneFile: true,
      keepsFolder: true,
      shared: {},
    }),
    hyparquet: bundleNode({ hyparquet: 'node_modules/hyparquet/src/node.js' }, 'out/engine', {
      isOneFile: true,
      keepsFolder: true,
      shared: {},
    }),
    mcpb: bundleNode({ index: 'engine/cli/mcp-stdio/mcp-bundle.ts' }, 'out/mcpb'),
  },
  builder: {
    async buildApp(builder) {
      await recordBuild(import.meta.dirname, async () => {
        const packages = new Set<string>();
        for (const environment of Object.values(builder.environments)) {
          if (environment.name === 'ssr') continue;
          for (const folder of listBundledFolders(at('renderer'), await builder.build(environment)))
            packages.add(folder);
        }
        writeNotices(import.meta.dirname, packages, at('out/third-party-notices.txt'));
      });
    },
  },
  server: {
    host: '127.0.0.1',
    port: devPort,
    strictPort: true,
    // In Electron the page comes through app://desk, so hot reload must name its server.
    hmr: { host: '127.0.0.1', clientPort: devPort, protocol: 'ws' },
    // Whole prefixes: the interface's own sources are served under /api/ and /app.tsx too.
    proxy: {
      '/api/v1/': toEngine,
      '/app/v1/': toEngine,
      '/staging/': toEngine,
      '/openapi.json': toEngine,
    },
  },
});
