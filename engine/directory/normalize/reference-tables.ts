/** The bundled lists of email domains that belong to no company: free mail and disposable mail. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcesDir } from '../../platform/paths.ts';

const lists = new Map<string, ReadonlySet<string>>();

function readDomains(file: string): ReadonlySet<string> {
  const known = lists.get(file);
  if (known) return known;
  const text = readFileSync(join(resourcesDir(), 'reference', file), 'utf8');
  const domains = new Set(text.split(/\r?\n/).slice(1).filter(Boolean));
  lists.set(file, domains);
  return domains;
}

/** Whether anyone can get an address at this domain (lower case), so that it names no employer. */
export function isFreeMailDomain(domain: string): boolean {
  return readDomains('ref_free_email_domains.csv').has(domain);
}

/** Whether a domain (lower case) gives disposable addresses. */
export function isDisposableDomain(domain: string): boolean {
  return readDomains('ref_disposable_email_domains.csv').has(domain);
}
