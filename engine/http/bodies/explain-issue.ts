// Messages for values that a schema rejects, where Zod's own message does not say what to do.
import type { z } from 'zod';
import { unknownNamesMax } from '../../contract/limits/platform.ts';
import { countEdits, sliceOf, type TextSlice } from '../../directory/normalize/similarity.ts';
import { recognizeColumns } from '../../spreadsheet/recognize-columns.ts';
import { rowInputColumns } from '../../spreadsheet/row-input-columns.ts';

const editsMax = 2;
const shownCharactersMax = 60;

/** Removes differences of style: jobTitle and job-title become the same as job_title. */
export const foldName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

const copySlice = (text: string): TextSlice => ({
  codes: Uint16Array.from(text, (letter) => letter.charCodeAt(0)),
  start: 0,
  length: text.length,
});

/**
 * The allowed name of a row field whose column is called so in lists (linkedin_url, company), or
 * the only one that has the name as a word: title for job_title.
 */
function findMeant(name: string, allowed: readonly string[]): string | null {
  const longer = allowed.filter((one) => one.split('_').includes(name.toLowerCase()));
  const [field] = Object.keys(
    recognizeColumns([name.slice(0, shownCharactersMax)], rowInputColumns),
  );
  const meant = field === 'full_name' ? 'first_name' : field;
  if (meant !== undefined && allowed.includes(meant)) return meant;
  return longer.length === 1 ? (longer[0] ?? null) : null;
}

/** The allowed name that is closest, or means the same as a column; null if none does. */
export function findNearest(
  name: string,
  allowed: readonly string[],
  isByLettersOnly = false,
): string | null {
  const folded = foldName(name.slice(0, shownCharactersMax));
  // With two edits, a name of two letters would match any other.
  if (folded.length <= editsMax) return null;
  const wanted = copySlice(folded);
  const near = allowed
    .map((one) => ({ one, edits: countEdits(wanted, sliceOf(foldName(one)), editsMax) }))
    .filter(({ edits }) => edits <= editsMax)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.one ?? (isByLettersOnly ? null : findMeant(name, allowed));
}

function describeUnknown(unknown: readonly string[], allowed: readonly string[]): string {
  const named = unknown.slice(0, unknownNamesMax).map((name) => name.slice(0, shownCharactersMax));
  const names = named.map((name) => JSON.stringify(name)).join(', ');
  const nearest = new Set(named.flatMap((name) => findNearest(name, allowed) ?? []));
  const meant = [...nearest].map((name) => JSON.stringify(name)).join(', ');
  return (
    `Unrecognized key${unknown.length > 1 ? 's' : ''}: ${names}. ` +
    `${meant ? `Did you mean ${meant}? ` : ''}` +
    `${allowed.length ? `Allowed: ${allowed.join(', ')}` : 'No keys are allowed'}`
  );
}

type LengthIssue = Pick<z.core.$ZodIssueTooBig, 'origin' | 'maximum'> &
  Pick<z.core.$ZodIssueTooSmall, 'minimum'>;

/** Null for numbers, whose limits Zod explains. */
function describeLength({ origin, minimum, maximum }: Partial<LengthIssue>): string | undefined {
  const unit = origin === 'string' ? 'character' : origin === 'array' ? 'entry' : null;
  if (unit === null) return undefined;
  if (minimum !== undefined && Number(minimum) === 1) return 'It is empty';
  const plural = unit === 'entry' ? 'entries' : `${unit}s`;
  return minimum === undefined
    ? `It has more than ${maximum} ${plural}`
    : `It has less than ${minimum} ${plural}`;
}

/** What keeps a value from the form that it is closest to, of several. */
function explainForms(forms: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const [nearest] = forms.toSorted((a, b) => a.length - b.length);
  return nearest
    ?.map(({ path, message }) => `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
    .join('; ');
}

/**
 * Names a missing value, a wrong length, the allowed keys of an unknown one, and the nearest of
 * several forms. Zod explains everything else.
 */
export const explainIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return `Missing; expected ${issue.expected}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return describeLength(issue);
  if (issue.code === 'invalid_union') return explainForms(issue.errors);
  if (issue.code !== 'unrecognized_keys') return undefined;
  const def = (issue.inst?._zod.def ?? {}) as { shape?: object; keyType?: z.core.$ZodType };
  const keys = def.shape ? Object.keys(def.shape) : [...(def.keyType?._zod.values ?? [])];
  return describeUnknown(issue.keys as string[], keys.map(String));
};
