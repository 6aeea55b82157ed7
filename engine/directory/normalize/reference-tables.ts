// The bundled lists of names of hosts: domains of free and of disposable mail, which belong to no
// company, and the suffixes under which anyone can register a name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createBoundedCache } from '../../platform/bounded-cache.ts';
import { resourcesDir } from '../../platform/paths.ts';

const lists = new Map<string, ReadonlySet<string>>();

function readList(file: string): ReadonlySet<string> {
  const known = lists.get(file);
  if (known) return known;
  const bytes = readFileSync(join(resourcesDir(), 'reference', file));
  const names = new Set(gunzipSync(bytes).toString('utf8').split('\n').filter(Boolean));
  lists.set(file, names);
  return names;
}

/** Whether a domain (lower case) gives disposable addresses. */
export function isDisposableDomain(domain: string): boolean {
  return readList('disposable_mail_domains.txt.gz').has(domain);
}

/** Whether anyone can get an address at this domain (lower case), so that it names no employer. */
export function isFreeMailDomain(domain: string): boolean {
  return readList('free_mail_domains.txt.gz').has(domain) || isDisposableDomain(domain);
}

const rememberedMax = 5_000;

/**
 * The part of a host that someone has registered: "mail.example.co.uk" is example.co.uk, and
 * "acme.github.io" is of its own. A host that is itself a suffix is returned as it is.
 */
export const registrableDomain = createBoundedCache((host: string): string => {
  const suffixes = readList('public_suffixes.txt.gz');
  const labels = host.toLowerCase().split('.').filter(Boolean);
  for (let at = 0; at < labels.length - 1; at++) {
    const name = labels.slice(at).join('.');
    if (suffixes.has(`!${name}`)) return name;
    if (suffixes.has(name) || suffixes.has(`*.${labels.slice(at + 1).join('.')}`))
      return labels.slice(Math.max(at - 1, 0)).join('.');
  }
  return labels.slice(-2).join('.');
}, rememberedMax);
