/**
 * What the desktop shell adds to the page, and what the browser does where there is no such shell.
 */
import type { DesktopBridge } from '../../main/desktop-contract.ts';

/** The bridge of the desktop shell; null in a browser. */
export const findDesktop = (): DesktopBridge | null => window.desk ?? null;

/** The path of a dropped or chosen file; null in a browser, or where the file has none. */
export function findPath(file: File): string | null {
  return findDesktop()?.pathForFile(file) || null;
}

/** Lets the browser save what is at a one-time address. */
export function startDownload(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Tells of the end of a long job while the window is not in front. */
export function notifyInBackground(title: string, body: string): void {
  if (document.hasFocus()) return;
  void findDesktop()?.notify({ title, body });
}
