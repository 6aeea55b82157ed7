// The sections of CHANGELOG.md: closes the pending one, and reads that of a version.

const pendingHeading = '## Pending';

/** Text between a heading of the second level and the next one, without empty lines at its ends. */
function readSection(changelog, isHeading) {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith('## ') && isHeading(line));
  if (start === -1) return null;
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '));
  const end = length === -1 ? lines.length : start + 1 + length;
  return lines
    .slice(start + 1, end)
    .join('\n')
    .trim();
}

/**
 * Turns the pending section into that of a version. Throws if nothing is pending.
 * @param {string} day as in 2026-11-23
 */
export function closePending(changelog, version, day) {
  const pending = readSection(changelog, (line) => line === pendingHeading);
  if (pending === null) throw new Error(`CHANGELOG.md has no section "${pendingHeading}".`);
  if (pending === '') throw new Error(`The section "${pendingHeading}" of CHANGELOG.md is empty.`);
  return changelog.replace(`${pendingHeading}\n`, `${pendingHeading}\n\n## ${version} (${day})\n`);
}

/** The notes of a version, or null if the changelog does not have it. */
export const readNotes = (changelog, version) =>
  readSection(changelog, (line) => line.startsWith(`## ${version} (`));
