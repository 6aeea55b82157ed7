// Web addresses in cells, and the organisations that use a domain.
import { createBoundedCache } from '../../../../platform/bounded-cache.ts';
import { findText } from '../../../index/index-dictionary.ts';
import type { MatchIndex } from '../../../index/index-layout.ts';
import { isFreeMailDomain, registrableDomain } from '../../../normalize/reference-tables.ts';

const host = /^\s*(?:[a-z]+:\/\/?)?(?:[^/@\s]*@)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?=[/:?#\s,.;)]|$)/i;

/** The host with which a text begins, in lower case; '' if it begins with none. */
export const hostOf = (text: string): string => host.exec(text)?.[1]?.toLowerCase() ?? '';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-.';
const nearLettersMin = 7;
const nearGroupsMax = 3;
const rememberedMax = 3_000;

/** Every text that is one typing error from another. */
function* oneErrorFrom(text: string): Generator<string> {
  for (let at = 0; at <= text.length; at++) {
    const [before, behind] = [text.slice(0, at), text.slice(at)];
    if (behind !== '') yield before + behind.slice(1);
    if (behind.length > 1) yield before + behind[1] + behind[0] + behind.slice(2);
    for (const letter of letters) {
      yield before + letter + behind;
      if (behind !== '') yield before + letter + behind.slice(1);
    }
  }
}

/** Whether a domain, or the one that it belongs to, gives addresses to anyone. */
export const isFreeHost = (name: string): boolean =>
  isFreeMailDomain(name) || isFreeMailDomain(registrableDomain(name));

/** Finds the groups that use a domain; remembers the last answers. */
export function createDomainFinder({ domains, sections }: MatchIndex) {
  const { domainGroupStarts, domainGroups } = sections;
  const groupsOf = (name: string): readonly number[] => {
    const id = findText(domains, name);
    if (id < 0) return [];
    return [...domainGroups.subarray(domainGroupStarts[id]!, domainGroupStarts[id + 1]!)];
  };
  const find = (given: string): readonly number[] => {
    const name = given.toLowerCase().replace(/^www\./, '');
    const base = registrableDomain(name);
    if (isFreeHost(name)) return [];
    const exact = groupsOf(name);
    if (exact.length > 0) return exact;
    const above = groupsOf(base);
    if (above.length > 0 || base.length < nearLettersMin) return above;
    const near = new Set<number>();
    for (const other of oneErrorFrom(base)) for (const group of groupsOf(other)) near.add(group);
    return near.size <= nearGroupsMax ? [...near].sort((a, b) => a - b) : [];
  };
  return createBoundedCache(find, rememberedMax);
}
