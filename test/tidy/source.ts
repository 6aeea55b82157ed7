// Reads the project's source files and parses them for the rules.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { parseSync } from 'vite';

export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}
export interface Import {
  /** A path of the project, or the name of a package with its subpath. */
  target: string;
  isPackage: boolean;
  /** The imported names; '*' means all of them. */
  names: string[];
  typeOnly: boolean;
}
export interface Export {
  name: string;
  typeOnly: boolean;
}
/** One file: its path from the project's root with forward slashes, and its content. */
export interface Source {
  path: string;
  text: string;
  lines: string[];
  nodes: SyntaxNode[];
  comments: { start: number; end: number; value: string }[];
  imports: Import[];
  exports: Export[];
  namedPaths: string[];
}

function* walk(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const item of value) yield* walk(item);
  else if (value !== null && typeof value === 'object') {
    if (typeof (value as SyntaxNode).type === 'string') yield value as SyntaxNode;
    for (const inner of Object.values(value)) yield* walk(inner);
  }
}

const resolveTarget = (from: string, specifier: string): string =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier;

type Parsed = ReturnType<typeof parseSync>['module'];

function listImports(path: string, module: Parsed, nodes: SyntaxNode[]): Import[] {
  const aim = (specifier: string) => ({
    target: resolveTarget(path, specifier),
    isPackage: !specifier.startsWith('.'),
  });
  const imports: Import[] = module.staticImports.map((statement) => ({
    ...aim(statement.moduleRequest.value),
    names: statement.entries.map((entry) => nameImport(entry.importName)),
    typeOnly: statement.entries.length > 0 && statement.entries.every((entry) => entry.isType),
  }));
  for (const { entries } of module.staticExports)
    for (const entry of entries)
      if (entry.moduleRequest)
        imports.push({
          ...aim(entry.moduleRequest.value),
          names: [nameImport(entry.importName)],
          typeOnly: entry.isType,
        });
  for (const node of nodes) {
    if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') continue;
    const source = node.source as { value?: unknown } | undefined;
    if (typeof source?.value !== 'string') continue;
    const typeOnly = node.type === 'TSImportType';
    imports.push({ ...aim(source.value), names: ['*'], typeOnly });
  }
  return imports;
}

const nameImport = (name: { kind: string; name: string | null }): string =>
  name.kind === 'Default' ? 'default' : (name.name ?? '*');

const listExports = (module: Parsed): Export[] =>
  module.staticExports.flatMap(({ entries }) =>
    entries.map((entry) => ({
      name: entry.exportName.kind === 'Default' ? 'default' : (entry.exportName.name ?? '*'),
      typeOnly: entry.isType,
    })),
  );

const listNamedPaths = (path: string, nodes: SyntaxNode[]): string[] =>
  nodes
    .map((node) => (node.type === 'Literal' ? node.value : null))
    .filter((value) => typeof value === 'string')
    .filter((value) => /^[\w./-]+\.(ts|tsx|mjs)$/.test(value))
    .flatMap((value) => [resolveTarget(path, value), posix.join(posix.dirname(path), value)]);

/**
 * Parses one file.
 * @throws if the text is not valid TypeScript
 */
export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) throw new Error(`${path}: ${parsed.errors[0]?.message}`);
  const nodes = [...walk(parsed.program)];
  return {
    path,
    text,
    lines: text.split('\n'),
    nodes,
    comments: parsed.comments,
    imports: listImports(path, parsed.module, nodes),
    exports: listExports(parsed.module),
    namedPaths: listNamedPaths(path, nodes),
  };
}

/** The project's root folder. */
export const root = dirname(dirname(import.meta.dirname));

const sourceFolders = ['engine', 'main', 'renderer', 'bench', 'test', 'scripts'];
const skippedFolders = new Set(['node_modules', 'out', 'dist', 'public']);

/** The paths, from the root, of all files in the given folders and directly in the root. */
export function listFiles(folders: readonly string[]): string[] {
  const inRoot = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile());
  const below = folders.flatMap((folder) => listFolder(join(root, folder)));
  return [...inRoot.map((entry) => entry.name), ...below];
}

function listFolder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listFolder(path);
    return [relative(root, path).split(sep).join('/')];
  });
}

/** The TypeScript and script files, parsed. */
export const readSources = (): Source[] =>
  listFiles(sourceFolders)
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path))
    .map((path) => parseSource(path, readFileSync(join(root, path), 'utf8')));

/** The line, from 1, of a position in a file. */
export const lineAt = (source: Source, offset: number): number =>
  source.text.slice(0, offset).split('\n').length;
