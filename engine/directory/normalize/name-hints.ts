// Finds names in email addresses and URLs: "robyn.burke@…", "…/in/robyn-burke-20a378161".
import { courtesyTitles, degrees, generations } from './name-words.ts';
import { nameKey } from './normalize-name.ts';

export interface NameHint {
  readonly first: string;
  readonly last: string;
}

const namePart = /^\p{L}{2,}$/u;

function readParts(parts: readonly string[]): NameHint | null {
  const kept = parts.filter((part) => !generations.has(part) && !degrees.has(part));
  if (kept.length < 2 || kept.length > 4 || courtesyTitles.has(kept[0]!)) return null;
  const first = nameKey(kept[0]!);
  const last = nameKey(kept[kept.length - 1]!);
  return namePart.test(first) && namePart.test(last) ? { first, last } : null;
}

/** The name in the part of an address before the @; null if it contains none. */
export function readEmailHint(email: string): NameHint | null {
  const at = email.indexOf('@');
  const local = at > 0 ? email.slice(0, at) : '';
  const breakAt = local.search(/[._-]/);
  return breakAt < 2 ? null : readParts(local.toLowerCase().split(/[._-]+/));
}

/** The name in the last part of a URL's path; null if it contains none. */
export function readUrlHint(url: string): NameHint | null {
  const path = url.replace(/[?#].*$/, '').replace(/(?<!\/)\/+$/, '');
  const slug = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (!slug.includes('-') || slug.includes('.')) return null;
  return readParts(slug.split('-').filter((part) => !/[\d%]/.test(part)));
}
