// Rules for all files together: imports and unused code.
import type { Source } from './source.ts';

/** A rule: returns `path: sentence` per violation of the project. */
export type ProjectRule = (sources: readonly Source[]) => string[];

const platform = ['engine/contract', 'engine/platform'];
const base = [...platform, 'engine/spreadsheet', 'engine/audit'];
const data = [...base, 'engine/ledger', 'engine/secrets'];
const sources = [
  ...data,
  'engine/directory',
  'engine/suppression',
  'engine/accounts',
  'engine/sessions',
  'engine/providers',
];
const shared = [...sources, 'engine/shared', 'engine/http'];
/** The capabilities, and the other capabilities that each builds on. */
const capabilities: readonly (readonly [name: string, builtOn: readonly string[]])[] = [
  ['engine/webhooks', []],
  ['engine/jobs', ['engine/webhooks']],
  ['engine/validations', []],
  ['engine/wallet', []],
  ['engine/person-data', ['engine/jobs']],
  ['engine/lookup', ['engine/jobs']],
  ['engine/monitors', ['engine/jobs', 'engine/webhooks']],
  ['engine/pipelines', ['engine/jobs', 'engine/validations', 'engine/webhooks']],
  ['engine/assistants', ['engine/jobs', 'engine/lookup', 'engine/monitors', 'engine/validations']],
  ['engine/oauth', []],
  ['engine/policy', ['engine/oauth']],
  [
    'engine/maintenance',
    ['engine/jobs', 'engine/monitors', 'engine/pipelines', 'engine/person-data', 'engine/webhooks'],
  ],
  [
    'engine/retention',
    [
      'engine/jobs',
      'engine/monitors',
      'engine/pipelines',
      'engine/validations',
      'engine/webhooks',
      'engine/maintenance',
    ],
  ],
];

const cliBase = [...shared, 'engine/validations', 'engine/maintenance', 'engine/app'];

/**
 * Each layer, and what it may import besides itself. Routes are above their own folder: a file that
 * ends in .routes.ts, and route-deps.ts, may import what a capability may.
 */
const arrows: readonly (readonly [layer: string, allowed: readonly string[]])[] = [
  ['engine/contract', []],
  ['engine/platform', platform],
  ['engine/spreadsheet', platform],
  ['engine/secrets', platform],
  ['engine/audit', [...platform, 'engine/spreadsheet']],
  ['engine/ledger', base],
  ['engine/directory', [...platform, 'engine/spreadsheet']],
  ['engine/suppression', [...data, 'engine/directory']],
  ['engine/accounts', [...data, 'engine/directory']],
  ['engine/sessions', [...data, 'engine/accounts']],
  ['engine/providers', sources],
  ['engine/shared', sources],
  ['engine/http', sources],
  ...capabilities.map(([name, builtOn]) => [name, [...shared, ...builtOn]] as const),
  ['engine/app', ['engine']],
  ['engine/cli/kit', cliBase],
  ['engine/cli/mcp-stdio', [...cliBase, 'engine/cli/kit']],
  ['engine/cli', ['engine']],
  ['main', ['engine/contract']],
  ['renderer', ['engine/contract', 'main/desktop-contract.ts']],
  ['scripts', ['engine/contract', 'main/updates/feed-signature.ts']],
  ['bench', ['']],
  ['test', ['']],
];

/** Packages that a layer may import, if it may not import all of them. */
const packages: readonly (readonly [layer: string, allowed: RegExp])[] = [
  ['engine/contract', /^zod$/],
  ['main', /^(electron|electron-updater|zod|node:.*)$/],
  ['renderer', /^(?!node:|electron|better-sqlite3|fastify|vitest|playwright)/],
  ['engine', /^(?!electron|react|vitest|playwright|vite$|@mantine|@tanstack)/],
];

const isRoutes = (path: string): boolean => /(\.routes|\/route-deps)\.ts$/.test(path);

const isIn = (path: string, layer: string): boolean =>
  layer === '' || path === layer || path.startsWith(`${layer}/`);

/** Imports run one way, down to the contract. */
const keepArrows: ProjectRule = (sources) =>
  sources.flatMap((source) => {
    const [layer, own] = arrows.find(([name]) => isIn(source.path, name)) ?? [];
    const allowed = isRoutes(source.path) ? [...(own ?? []), ...shared] : own;
    if (layer === undefined || allowed === undefined)
      return source.path.includes('/')
        ? [`${source.path}: is in no layer that has its arrows`]
        : [];
    return source.imports
      .filter(({ target, isPackage }) => !isPackage && !isIn(target, layer))
      .filter(({ target }) => !allowed.some((name) => isIn(target, name)))
      .map(({ target }) => `${source.path}: ${layer} may not import ${target}`);
  });

/** The page imports only types of main. */
const keepMainTypesOnly: ProjectRule = (sources) =>
  sources
    .filter(({ path }) => isIn(path, 'renderer'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, typeOnly }) => isIn(target, 'main') && !typeOnly)
        .map(({ target }) => `${path}: import only types from ${target}`),
    );

/** Packages are imported only by their layers; only main loads electron. */
const keepPackages: ProjectRule = (sources) =>
  sources.flatMap(({ path, imports }) => {
    const allowed = packages.find(([layer]) => isIn(path, layer))?.[1] ?? /./;
    return imports
      .filter(({ isPackage }) => isPackage)
      .filter(
        ({ target, typeOnly }) =>
          !allowed.test(target) || (target === 'electron' && !typeOnly && !isIn(path, 'main')),
      )
      .map(({ target }) => `${path}: may not import ${target}`);
  });

/** Imports have no cycles. */
const banCircles: ProjectRule = (sources) => {
  const bySource = new Map(sources.map((source) => [source.path, source]));
  const finished = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      circles.push(`${path}: imports itself by way of ${circle.join(' → ')}`);
      return;
    }
    if (finished.has(path)) return;
    for (const { target } of bySource.get(path)?.imports ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return circles;
};

/** Their uses keep no part of the product. */
const isAroundProduct = (path: string): boolean => isIn(path, 'test') || isIn(path, 'bench');

const isTestFile = (path: string): boolean => /^test\/.*\.test\.tsx?$/.test(path);
/** Files that are started by name: configurations, scripts of package.json, the page, tests. */
const isEntry = (path: string): boolean =>
  isTestFile(path) ||
  path === 'renderer/main.tsx' ||
  path === 'renderer/reference/start.ts' ||
  // Named by vitest.config.ts.
  /^test\/(app\/global-setup|postgres\/shared-postgres|shared-dir|double\/\w+-workers)\.ts$/.test(
    path,
  ) ||
  isIn(path, 'scripts') ||
  isIn(path, 'bench') ||
  !path.includes('/');

/**
 * Every file is reached from an entry, by import or by its path in a string, and not only from
 * tests.
 */
const banDeadFiles: ProjectRule = (sources) => {
  const bySource = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const visit = (path: string, from: string): void => {
    const source = bySource.get(path);
    // A test keeps only its own files alive, never a file of the product.
    if (!source || reached.has(path) || (isAroundProduct(from) && !isAroundProduct(path))) return;
    reached.add(path);
    for (const { target } of source.imports) visit(target, path);
    for (const named of source.namedPaths) visit(named, path);
  };
  for (const { path } of sources) if (isEntry(path)) visit(path, path);
  return sources
    .filter(({ path }) => !reached.has(path) && !path.endsWith('.d.ts'))
    .map(({ path }) => `${path}: nothing uses this file`);
};

const countUses = (source: Source, name: string): number =>
  source.nodes.filter(
    (node) => /^(JSX)?Identifier$/.test(node.type) && (node as { name?: unknown }).name === name,
  ).length;

/**
 * Every exported value is imported by the product, or is used in its own file and by a test. Types
 * are exempt, because they do not exist at run time.
 */
const banDeadExports: ProjectRule = (sources) => {
  const users = new Map<string, Set<string>>();
  for (const { path, imports } of sources)
    for (const { target, names } of imports)
      for (const name of names) {
        const key = `${target} ${name}`;
        users.set(key, (users.get(key) ?? new Set()).add(path));
      }
  const listUsers = (path: string, name: string): string[] => [
    ...(users.get(`${path} ${name}`) ?? []),
    ...(users.get(`${path} *`) ?? []),
  ];
  const isTyped = (source: Source, name: string): boolean =>
    source.nodes.some(
      (node) =>
        /^TS(TypeAlias|Interface)Declaration$/.test(node.type) &&
        (node.id as { name: string }).name === name,
    );
  return sources
    .filter(({ path }) => !isEntry(path) && !path.endsWith('.d.ts'))
    .flatMap((source) =>
      source.exports
        .filter(({ name, typeOnly }) => name !== '*' && !typeOnly && !isTyped(source, name))
        .filter(({ name }) => {
          const all = listUsers(source.path, name);
          const isUsedByProduct = isAroundProduct(source.path)
            ? all.length > 0
            : all.some((path) => !isAroundProduct(path));
          // The contract is a vocabulary: a schema that another schema is made of is used.
          const isKnown = all.length > 0 || isIn(source.path, 'engine/contract');
          return !isUsedByProduct && !(isKnown && countUses(source, name) > 1);
        })
        .map(({ name }) => `${source.path}: nothing but a test, or nothing at all, uses ${name}`),
    );
};

/** Every rule of this file. */
export const projectRules: Readonly<Record<string, ProjectRule>> = {
  keepArrows,
  keepMainTypesOnly,
  keepPackages,
  banCircles,
  banDeadFiles,
  banDeadExports,
};
