// Types of changelog.mjs.
export function closePending(changelog: string, version: string, day: string): string;
export function readNotes(changelog: string, version: string): string | null;
