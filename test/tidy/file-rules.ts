// Rules for one file at a time: columns, names, comments and forbidden words.
import { lineAt, type Source, type SyntaxNode } from './source.ts';

/** A rule: returns one sentence per violation of a file. */
export type FileRule = (source: Source) => string[];

const columnsMax = 100;
const bannedWords = /^(utils?|helpers?|lib|managers?|services?|misc|common)$/i;

const isUnder = (source: Source, ...folders: string[]): boolean =>
  folders.some((folder) => source.path.startsWith(`${folder}/`));
const isTest = (source: Source): boolean => /\.test\.tsx?$/.test(source.path);
// One word, an import list or a test title: the formatter cannot break them.
const isUnbreakable = (line: string): boolean =>
  /\S{60}/.test(line) || /^(import|export) .* from '|^test\(['`]|^\].*\)\(['`]/.test(line);

/** Lines of at most 100 columns, unless they cannot be broken. */
const limitColumns: FileRule = ({ lines }) =>
  lines.flatMap((line, index) => {
    const columns = [...line].length;
    return columns > columnsMax && !isUnbreakable(line)
      ? [`line ${index + 1}: ${columns} columns, more than ${columnsMax}`]
      : [];
  });

const splitWords = (name: string): string[] =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').split(/[^A-Za-z0-9]+/);

/** No path and no exported name says "utils", "helpers", "manager" and the like. */
const banEmptyNames: FileRule = ({ path, exports }) =>
  [path, ...exports.map(({ name }) => name)]
    .flatMap((name) => splitWords(name).map((word) => ({ name, word })))
    .filter(({ word }) => bannedWords.test(word))
    .map(({ name, word }) => `the name ${name} says "${word}": name what it does`);

/** A file opens with a comment whose first sentence says what the file owns. */
const requireOpeningSentence: FileRule = ({ text, comments }) => {
  const first = comments[0];
  const begin = text.startsWith('#!') ? text.indexOf('\n') + 1 : 0;
  if (!first || first.start !== begin) return ['does not open with a comment on what it owns'];
  // Line comments that follow each other are one text.
  const whole = text.slice(begin).match(/^(\/\/.*\n)+|^\/\*[\s\S]*?\*\//)?.[0] ?? '';
  const words = whole.replace(/[/*\s]+/g, ' ').trim();
  return /\S+ \S+ \S+.*[.:]/.test(words) ? [] : ['its opening comment is no sentence'];
};

/** No skipped tests, silenced rules or postponed work. */
const banLooseEnds: FileRule = (source) => {
  // The rules themselves must name what they forbid.
  if (source.path.startsWith('test/tidy')) return [];
  const loose = [
    /\b(it|test|describe)\.(skip|only|todo)\b/,
    /@ts-(ignore|nocheck|expect-error)/,
    /(biome|eslint)-(ignore|disable)/,
    /\b(TODO|FIXME|XXX)\b/,
  ];
  return source.lines.flatMap((line, index) =>
    loose
      .map((pattern) => line.match(pattern)?.[0])
      .filter((found) => found !== undefined)
      .map((found) => `line ${index + 1}: ${found}`),
  );
};

const nameOf = (node: SyntaxNode): unknown => node.name;

/** Tests await events and never sleep, except that a kill comes at a random moment. */
const banSleeps: FileRule = (source) =>
  isTest(source) && !isUnder(source, 'test/crash')
    ? source.nodes
        .filter((node) => node.type === 'Identifier')
        .filter((node) => /^(setTimeout|setInterval|waitForTimeout)$/.test(String(nameOf(node))))
        .map((node) => `line ${lineAt(source, node.start)}: ${nameOf(node)} waits for time to pass`)
    : [];

/** No spread of a literal: its members are written out where it stands. */
const banPackedLiterals: FileRule = (source) =>
  source.nodes
    .filter(({ type }) => type === 'SpreadElement' || type === 'JSXSpreadAttribute')
    .filter(({ argument }) => {
      let spread = argument as SyntaxNode;
      while (/^(Parenthesized|TSAs|TSSatisfies)Expression$/.test(spread.type))
        spread = spread.expression as SyntaxNode;
      return /^(Object|Array)Expression$/.test(spread.type);
    })
    .map((node) => `line ${lineAt(source, node.start)}: a literal is spread, not written out`);

const layerCode = /^(?:L[1-4]|MPA|CP)$/;
/** Codes of layers, and words of the API for what the app names otherwise. */
const wordsOfApi = /\b(?:L[1-4]|MPA|CP|pipelines?|unlock\w*)\b/i;

/** What a file shows: its texts, without those by which the palette finds a command. */
function listTexts({ nodes }: Source): { text: string; start: number }[] {
  const hidden = nodes.filter(
    ({ type, key }) => type === 'Property' && nameOf(key as SyntaxNode) === 'words',
  );
  return nodes
    .filter(({ type }) => /^(JSXText|Literal|TemplateElement)$/.test(type))
    .filter(({ start, end }) => !hidden.some((one) => one.start < start && end <= one.end))
    .map(({ type, value, start }) => ({
      text: type === 'TemplateElement' ? (value as { raw: string }).raw : String(value),
      isValue: type === 'Literal' && layerCode.test(String(value)),
      start,
    }))
    .filter(({ text, isValue }) => !isValue && /^\s*\p{Lu}|\p{L}[,.:]? \p{L}/u.test(text));
}

/**
 * Screens name layers, and say neither "pipeline" nor, except of a keychain, "unlock". Connections
 * is about the API.
 */
const banApiWords: FileRule = (source) =>
  isUnder(source, 'renderer', 'engine/contract/audit') &&
  !isUnder(source, 'renderer/screens/connections')
    ? listTexts(source)
        .filter(({ text }) => wordsOfApi.test(text) && !text.includes('keychain'))
        .map(
          ({ text, start }) =>
            `line ${lineAt(source, start)}: the screen says "${wordsOfApi.exec(text)?.[0]}"`,
        )
    : [];

/** Only main/ipc.ts touches ipcMain. */
const guardIpcMain: FileRule = (source) =>
  isUnder(source, 'main') && source.path !== 'main/ipc.ts'
    ? source.nodes
        .filter((node) => node.type === 'Identifier' && nameOf(node) === 'ipcMain')
        .map((node) => `line ${lineAt(source, node.start)}: only main/ipc.ts may touch ipcMain`)
    : [];

/** Only engine/platform/net sends requests to the outside, with one client. */
const guardOutgoing: FileRule = (source) =>
  isUnder(source, 'engine') && !isUnder(source, 'engine/platform/net')
    ? source.nodes
        .filter(({ type }) => type === 'CallExpression')
        .map(({ callee, start }) => ({ name: nameOf(callee as SyntaxNode), start }))
        .filter(({ name }) => name === 'fetch' || name === 'loadHttps')
        .map(({ name, start }) => `line ${lineAt(source, start)}: ${name} is not send-outside.ts`)
    : [];

/** Every rule of this file. */
export const fileRules: Readonly<Record<string, FileRule>> = {
  limitColumns,
  banEmptyNames,
  requireOpeningSentence,
  banLooseEnds,
  banSleeps,
  banPackedLiterals,
  banApiWords,
  guardIpcMain,
  guardOutgoing,
};
