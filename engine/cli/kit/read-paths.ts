// Reads the paths of a line: the file that a command reads, and the one that it writes.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { type ExportFormat, exportFormats } from '../../contract/exports/export-formats.ts';
import { type Call, requireOption } from './command.ts';
import { badUsage } from './refusal.ts';

/** The real path of a file that need not exist yet. */
const locate = (path: string): string =>
  existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));

/** The path of --out or another option. Throws bad usage if no file can be written there. */
export function readOutPath(call: Call, option = 'out'): string {
  const outPath = call.resolvePath(requireOption(call, option, 'say where the file goes'));
  const folder = dirname(outPath);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw badUsage(`--${option}: there is no folder ${folder}. Make it first.`);
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw badUsage(`--${option}: you may not write to ${folder}. Choose another folder.`);
  }
  if (statSync(outPath, { throwIfNoEntry: false })?.isDirectory())
    throw badUsage(`--${option}: ${outPath} is a folder. Name a file in it.`);
  return locate(outPath);
}

/**
 * The real path of a file to read. Throws bad usage if there is none.
 * @param canBePipe whether the file is read once, in its order
 */
export function readInPath(call: Call, path: string, canBePipe = false): string {
  const inPath = call.resolvePath(path);
  const entry = statSync(inPath, { throwIfNoEntry: false });
  if (entry?.isDirectory()) throw badUsage(`${inPath} is a folder. Name a file in it.`);
  const isRead = entry?.isFile() || (canBePipe && entry?.isFIFO());
  if (!isRead) throw badUsage(`There is no file ${inPath}. Check its name and folder.`);
  return realpathSync(inPath);
}

/** The text of a file, without a byte order mark. Throws bad usage if there is none. */
export const readTextFile = (call: Call, path: string): string =>
  readFileSync(readInPath(call, path), 'utf8').replace(/^\uFEFF/, '');

/** Throws bad usage if a command would write over the file that it reads. */
export function refuseSameFile(inPath: string, outPath: string, option = 'out'): void {
  if (inPath === outPath)
    throw badUsage(
      `--${option} is the input itself (${inPath}). Name another file: it is never changed.`,
    );
}

/** The format of a file to write, by its name; the first without an ending. Throws bad usage. */
export function readFormat<Format extends string = ExportFormat>(
  outPath: string,
  option = 'out',
  formats: readonly (Format | ExportFormat)[] = exportFormats,
): Format | ExportFormat {
  const extension = extname(outPath).toLowerCase();
  const format = extension === '' ? formats[0] : formats.find((one) => extension === `.${one}`);
  if (format) return format;
  throw badUsage(
    `--${option}: ${extension} cannot be written. Name a file that ends in ` +
      `${formats.map((one) => `.${one}`).join(' or ')}.`,
  );
}
