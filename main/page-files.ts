/** Finds the interface's files and their content types. */
import { extname, resolve, sep } from 'node:path';

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The content type of a file by its extension. */
export const contentTypeOf = (file: string): string =>
  contentTypes[extname(file)] ?? 'application/octet-stream';

function decodePath(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/**
 * The file for a path of the page, or null if the path is outside the page's folder. A last segment
 * without a dot is a screen of the interface, for which the file is index.html.
 * @param folder absolute path of the built page
 * @param pathname as in a URL, still percent-encoded
 */
export function findPageFile(folder: string, pathname: string): string | null {
  const path = decodePath(pathname);
  if (path === null || path.includes('\0')) return null;
  const file = resolve(folder, `.${path}`);
  // Encoded dots and slashes survive URL parsing, so the resolved path is checked.
  if (file !== folder && !file.startsWith(folder + sep)) return null;
  const isScreen = !path.slice(path.lastIndexOf('/')).includes('.');
  return isScreen ? resolve(folder, 'index.html') : file;
}
