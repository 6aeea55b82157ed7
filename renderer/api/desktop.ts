// Features of the desktop shell, and their browser fallbacks.
import type { DesktopBridge } from '../../main/desktop-contract.ts';

/** The desktop shell's bridge; null in a browser. */
export const findDesktop = (): DesktopBridge | null => window.desk ?? null;

/** The path of a chosen file; null in a browser, or for a file without one. */
export function findPath(file: File): string | null {
  return findDesktop()?.pathForFile(file) || null;
}

export function startDownload(url: string, fileName: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
}
