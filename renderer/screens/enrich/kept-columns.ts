// The columns that were chosen by hand, by the header of their list; kept in this browser.
import { z } from 'zod';
import type { ColumnMapping } from '../../../engine/contract/jobs/row-input.ts';
import { ColumnMappingSchema, type Upload } from '../../../engine/contract/uploads.ts';

const storageKey = 'desk-columns';
/** Choices kept; the one that was made longest ago is dropped first. */
const choicesMax = 50;

const EntriesSchema = z.array(z.tuple([z.string(), z.unknown()]));

function readEntries(): [string, unknown][] {
  try {
    return EntriesSchema.parse(JSON.parse(localStorage.getItem(storageKey) ?? '[]'));
  } catch {
    return [];
  }
}

/** A list by what it is used for and its header. Lists without one are not told apart. */
function nameList(use: string, { headers, reading }: Upload): string | null {
  return reading.header ? JSON.stringify([use, ...headers]) : null;
}

function keepChoice(use: string, upload: Upload, choice: unknown): void {
  const name = nameList(use, upload);
  if (name === null) return;
  const others = readEntries().filter(([known]) => known !== name);
  try {
    const entries = [[name, choice], ...others.slice(0, choicesMax - 1)];
    localStorage.setItem(storageKey, JSON.stringify(entries));
  } catch {
    // A full storage only means that the choice is not remembered.
  }
}

function recallChoice<Choice>(use: string, upload: Upload, schema: z.ZodType<Choice>) {
  const name = nameList(use, upload);
  const [, choice] = readEntries().find(([known]) => known === name) ?? [];
  return schema.safeParse(choice).data ?? null;
}

const MappingSchema = z.object({ mapping: ColumnMappingSchema, fullName: z.int().nullable() });
export interface ColumnChoice {
  readonly mapping: ColumnMapping;
  readonly fullName: number | null;
}

export const keepColumns = (upload: Upload, choice: ColumnChoice): void =>
  keepChoice('enrich', upload, choice);

/** The columns chosen for a header before; null without any, or if they are recognised anyway. */
export function recallColumns(upload: Upload): ColumnChoice | null {
  const choice = recallChoice('enrich', upload, MappingSchema);
  const sorted = (mapping: ColumnMapping) => Object.entries(mapping).sort().join();
  return choice && sorted(choice.mapping) !== sorted(upload.mapping) ? choice : null;
}

const PicksSchema = z.record(z.string(), z.string());

export const keepPicks = (
  kind: string,
  upload: Upload,
  picks: Readonly<Record<string, string>>,
): void => keepChoice(`import ${kind}`, upload, picks);

/** The columns chosen for an import of this header before; none if there are none. */
export const recallPicks = (kind: string, upload: Upload): Readonly<Record<string, string>> =>
  recallChoice(`import ${kind}`, upload, PicksSchema) ?? {};
