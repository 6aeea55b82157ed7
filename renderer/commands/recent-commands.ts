/** The commands that were run last in this browser, newest first. */
const storageKey = 'desk-recent-commands';
const keptMax = 8;

/** Ids of commands, newest first. */
export function readRecent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

/** Puts a command first. */
export function noteRecent(id: string): void {
  const recent = [id, ...readRecent().filter((one) => one !== id)].slice(0, keptMax);
  localStorage.setItem(storageKey, JSON.stringify(recent));
}
