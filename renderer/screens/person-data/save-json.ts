// Saves data as a JSON file, which the browser or the shell downloads.
import { startDownload } from '../../api/desktop.ts';

const revokeDelayMs = 60_000;

export function saveJson(data: unknown, fileName: string): void {
  const text = `${JSON.stringify(data, null, 2)}\n`;
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  startDownload(url, fileName);
  setTimeout(() => URL.revokeObjectURL(url), revokeDelayMs);
}
