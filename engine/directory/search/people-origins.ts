// Counts people by the import that added them and the day of their newest value.
import {
  type AgeName,
  ageNames,
  type PeopleOrigins,
} from '../../contract/records/people-origins.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { SearchIndex } from './search-layout.ts';

const dayMs = 86_400_000;
/** Days since 1970 of an ISO day; 0 for an earlier or unreadable one. */
const dayOf = (day: string): number => Math.max(0, Math.floor(Date.parse(day) / dayMs) || 0);

export function gatherOrigins() {
  const days = new Map<string, number>();
  const counts = new Map<number, Map<number, number>>();
  return {
    /** Counts a person. @param observedOn YYYY-MM-DD */
    add(importId: number, observedOn: string): void {
      const day = days.get(observedOn) ?? dayOf(observedOn);
      days.set(observedOn, day);
      const ofImport = counts.get(importId) ?? new Map<number, number>();
      counts.set(importId, ofImport);
      ofImport.set(day, (ofImport.get(day) ?? 0) + 1);
    },
    finish() {
      const rows = [...counts].flatMap(([importId, byDay]) =>
        [...byDay].map(([day, count]) => [importId, day, count] as const),
      );
      return {
        originImports: Uint32Array.from(rows, ([importId]) => importId),
        originDays: Uint32Array.from(rows, ([, day]) => day),
        originCounts: Uint32Array.from(rows, ([, , count]) => count),
      };
    },
  };
}

/** The greatest age of each group in days, except of the last. */
const ageDays: readonly number[] = [91, 182, 365, 730];

function ageOf(day: number, today: number): AgeName {
  const at = ageDays.findIndex((days) => today - day < days);
  return ageNames[at < 0 ? ageDays.length : at] ?? 'older';
}

const addTo = <Key>(counts: Map<Key, number>, key: Key, count: number) =>
  counts.set(key, (counts.get(key) ?? 0) + count);

/** Groups the counts of an index by age and by source. It does not read people. */
export function presentOrigins(
  directory: ReadableDatabase,
  { origins, personIds }: SearchIndex,
  now: Date,
): PeopleOrigins {
  const today = Math.floor(now.getTime() / dayMs);
  const ages = new Map<AgeName, number>(ageNames.map((age) => [age, 0]));
  const imports = new Map<number, number>();
  origins.counts.forEach((count, at) => {
    addTo(ages, ageOf(origins.days[at] ?? 0, today), count);
    addTo(imports, origins.imports[at] ?? 0, count);
  });
  const names = statement<{ id: number; source: string }>(
    directory,
    'SELECT id, source FROM source_import WHERE id IN (SELECT value FROM json_each(?))',
  ).all(JSON.stringify([...imports.keys()]));
  const sources = new Map<string, number>();
  for (const { id, source } of names) addTo(sources, source, imports.get(id) ?? 0);
  return {
    people: personIds.length,
    ages: [...ages].map(([age, people]) => ({ age, people })),
    sources: [...sources]
      .map(([source, people]) => ({ source, people }))
      .sort((one, other) => other.people - one.people || one.source.localeCompare(other.source)),
  };
}
