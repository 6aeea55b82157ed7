/** What to say of a value that its schema refuses, where Zod's own words do not tell what to do. */
import type { z } from 'zod';
import { unknownNamesMax } from '../../contract/limits/platform.ts';
import { countEdits, sliceOf, type TextSlice } from '../../directory/normalize/similarity.ts';

const editsMax = 2;
const shownCharactersMax = 60;

/** A name without what is only a matter of style: jobTitle and job-title are job_title. */
const fold = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const copySlice = (text: string): TextSlice => ({
  codes: Uint16Array.from(text, (letter) => letter.charCodeAt(0)),
  start: 0,
  length: text.length,
});

/** The allowed name that an unknown one is most like; null where none is near. */
function findNearest(name: string, allowed: readonly string[]): string | null {
  const folded = fold(name.slice(0, shownCharactersMax));
  // Two letters may become any other two.
  if (folded.length <= editsMax) return null;
  const wanted = copySlice(folded);
  const near = allowed
    .map((one) => ({ one, edits: countEdits(wanted, sliceOf(fold(one)), editsMax) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.one ?? null;
}

function describeUnknown(unknown: readonly string[], allowed: readonly string[]): string {
  const named = unknown.slice(0, unknownNamesMax).map((name) => name.slice(0, shownCharactersMax));
  const names = named.map((name) => JSON.stringify(name)).join(', ');
  const nearest = new Set(named.flatMap((name) => findNearest(name, allowed) ?? []));
  const meant = [...nearest].map((name) => JSON.stringify(name)).join(', ');
  return (
    `Unrecognized key${unknown.length > 1 ? 's' : ''}: ${names}. ` +
    `${meant ? `Did you mean ${meant}? ` : ''}` +
    `${allowed.length ? `Allowed: ${allowed.join(', ')}` : 'It takes none'}`
  );
}

/** Names the keys that an object may have where one is unknown. Zod says all the rest. */
export const explainIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst?._zod.def ?? {}) as { shape?: object };
  return describeUnknown(issue.keys as string[], Object.keys(shape));
};
