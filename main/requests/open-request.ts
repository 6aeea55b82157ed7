// What the app is asked to open from outside: by arguments of a start, by the system (`open-file`,
// `open-url`), or by a second start. A link opens a screen and never starts an action.
import { basename, extname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OpenRequest } from '../desktop-contract.ts';

/** The scheme of links that open the app: `desk://open/jobs`. */
export const linkScheme = 'desk';
/** The argument that opens the dialog for a spreadsheet: a task of the jump list. */
const openDialogFlag = '--open-spreadsheet';
/** The tasks of the app's icon in the taskbar of Windows: titles, and the arguments of a start. */
export const taskbarTasks: readonly (readonly [title: string, argument: string])[] = [
  ['Open spreadsheet…', openDialogFlag],
  ['Jobs', `${linkScheme}://open/jobs`],
  ['Wallet', `${linkScheme}://open/wallet`],
];
/** The argument that starts the app without its window. */
export const hiddenFlag = '--hidden';

/** @param wasOpenedAtLogin as macOS says, whose login items have no arguments */
export const startsHidden = (argv: readonly string[], wasOpenedAtLogin: boolean): boolean =>
  argv.includes(hiddenFlag) || wasOpenedAtLogin;

const spreadsheets = new Set(['.csv', '.tsv', '.xlsx']);
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const screens = new RegExp(
  `^/(|jobs|jobs/${uuid}|directory|wallet|connections|connections/providers|settings|help)$`,
);

export function readLink(address: string): string | null {
  const url = URL.parse(address);
  if (url?.protocol !== `${linkScheme}:` || url.host !== 'open') return null;
  const path = url.pathname.replace(/\/$/, '') || '/';
  return screens.test(path) ? path : null;
}

/** A spreadsheet by its path; null for another file. The path is made absolute. */
export function readFileRequest(path: string, folder: string): OpenRequest | null {
  if (path.includes('\0') || !spreadsheets.has(extname(path).toLowerCase())) return null;
  const absolute = isAbsolute(path) ? path : resolve(folder, path);
  return { file: { path: absolute, name: basename(absolute) } };
}

function readArgument(argument: string, folder: string): OpenRequest | null {
  if (argument === openDialogFlag) return { dialog: true };
  if (argument.startsWith(`${linkScheme}:`)) {
    const screen = readLink(argument);
    return screen === null ? null : { screen };
  }
  if (argument.startsWith('-')) return null;
  const path = argument.startsWith('file:') ? readFileAddress(argument) : argument;
  return path === null ? null : readFileRequest(path, folder);
}

/** The path of an address, which file managers of Linux give; null if no path here has it. */
function readFileAddress(address: string): string | null {
  try {
    return fileURLToPath(address);
  } catch {
    return null;
  }
}

/** The requests of a start's arguments. @param folder the folder in which the start was given */
export const readArguments = (argv: readonly string[], folder: string): OpenRequest[] =>
  argv.slice(1).flatMap((argument) => readArgument(argument, folder) ?? []);
